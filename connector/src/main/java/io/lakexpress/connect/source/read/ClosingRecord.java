package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.WatermarkMove;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** The last record of a job: once it is acknowledged, the job is delivered. */
final class ClosingRecord extends SourceRecord {
  /**
   * What its acknowledgement proves.
   *
   * @param lower canonical text of the window's lower bound, or null
   * @param upper canonical text of the window's upper bound, or null
   * @param move where the watermark went, or null if the job moves none
   * @param completeTo up to when the table is complete with it, or null if that is not known
   */
  record Delivery(
      Job job, String lower, String upper, long rows, WatermarkMove move, Instant completeTo) {}

  private final transient Delivery delivery;

  ClosingRecord(
      Map<String, ?> partition,
      Map<String, ?> offset,
      String topic,
      String key,
      Struct value,
      Delivery delivery) {
    super(partition, offset, topic, Schema.STRING_SCHEMA, key, value.schema(), value);
    this.delivery = delivery;
  }

  Delivery delivery() {
    return delivery;
  }
}
