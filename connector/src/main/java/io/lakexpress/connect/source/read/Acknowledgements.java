package io.lakexpress.connect.source.read;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Which closing records Kafka has, and for certain their offsets too. The methods only remember:
 * they are called by the producer's callbacks, by Connect's committing thread and by poll().
 * Thread-safe.
 */
final class Acknowledgements {
  private final boolean atOnce;
  private final List<ClosingRecord.Delivery> certain = new ArrayList<>();
  private List<ClosingRecord.Delivery> onceCommitted = new ArrayList<>();
  private List<ClosingRecord.Delivery> acknowledged = new ArrayList<>();

  Acknowledgements(ReaderSettings.Delivery delivery) {
    // With exactly-once support Connect calls commitRecord after the transaction with the offsets;
    // without it the commit under way may have taken its snapshot before the acknowledgement.
    this.atOnce = delivery == ReaderSettings.Delivery.EXACTLY_ONCE;
  }

  /** A record reached Kafka, or was dropped on the way by a transform. */
  synchronized void acknowledge(SourceRecord sent) {
    if (sent instanceof ClosingRecord closing) {
      (atOnce ? certain : acknowledged).add(closing.delivery());
    }
  }

  /** Connect wrote offsets. */
  synchronized void commit() {
    certain.addAll(onceCommitted);
    onceCommitted = acknowledged;
    acknowledged = new ArrayList<>();
  }

  synchronized boolean hasCertain() {
    return !certain.isEmpty();
  }

  /** The jobs delivered since the last call. */
  synchronized List<ClosingRecord.Delivery> take() {
    List<ClosingRecord.Delivery> taken = List.copyOf(certain);
    certain.clear();
    return taken;
  }
}
