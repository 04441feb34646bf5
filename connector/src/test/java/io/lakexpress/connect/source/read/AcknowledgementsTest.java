package io.lakexpress.connect.source.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.JobMode;
import io.lakexpress.lxdb.Status;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class AcknowledgementsTest {
  private static final Job JOB =
      new Job(
          "j-1",
          "r-1",
          1,
          Instant.EPOCH,
          "shop",
          new TableId("shop", "orders"),
          Slice.WHOLE,
          JobMode.FULL,
          "",
          null,
          null,
          1,
          null,
          Status.RUNNING,
          -1,
          0,
          null,
          null,
          null);
  private static final ClosingRecord.Delivery DELIVERY =
      new ClosingRecord.Delivery(JOB, null, null, 5, null, Instant.EPOCH);

  private static ClosingRecord closing() {
    Struct told = RunRecords.of(RunRecords.Kind.CLOSED, JOB, null, null, 5, Instant.EPOCH);
    return new ClosingRecord(Map.of(), Map.of(), "shop.runs", "shop.orders", told, DELIVERY);
  }

  @Test
  void exactlyOnceCountsAtTheAcknowledgement() {
    Acknowledgements acknowledgements = new Acknowledgements(ReaderSettings.Delivery.EXACTLY_ONCE);

    acknowledgements.acknowledge(closing());

    assertThat(acknowledgements.take()).containsExactly(DELIVERY);
    assertThat(acknowledgements.take()).isEmpty();
  }

  @Test
  void atLeastOnceCountsAtTheSecondCommitAfterTheAcknowledgement() {
    Acknowledgements acknowledgements = new Acknowledgements(ReaderSettings.Delivery.AT_LEAST_ONCE);
    acknowledgements.commit();

    acknowledgements.acknowledge(closing());
    assertThat(acknowledgements.take()).isEmpty();
    acknowledgements.commit();
    assertThat(acknowledgements.take()).isEmpty();
    acknowledgements.commit();

    assertThat(acknowledgements.take()).containsExactly(DELIVERY);
  }

  @Test
  void rowsAreNotCounted() {
    Acknowledgements acknowledgements = new Acknowledgements(ReaderSettings.Delivery.EXACTLY_ONCE);

    acknowledgements.acknowledge(
        new SourceRecord(Map.of(), Map.of(), "shop.orders", null, "anything"));

    assertThat(acknowledgements.take()).isEmpty();
  }
}
