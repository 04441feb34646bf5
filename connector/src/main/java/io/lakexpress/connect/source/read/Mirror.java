package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.ClosingRecord.Delivery;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes into the LakeXpress DB what Kafka has acknowledged, in order; keeps it while the database
 * is down. Used by the keeper's thread alone, but for {@link #hasWork}.
 */
final class Mirror {
  private static final Logger LOG = LoggerFactory.getLogger(Mirror.class);

  private final Acknowledgements acknowledgements;
  private final Leases leases;
  private final Deque<Delivery> waiting = new ConcurrentLinkedDeque<>();

  Mirror(Acknowledgements acknowledgements, Leases leases) {
    this.acknowledgements = acknowledgements;
    this.leases = leases;
  }

  /**
   * Writes what waits.
   *
   * @return how many jobs became delivered
   * @throws LakexpressDbException if the database is down; what was not written waits on
   */
  int write(LakexpressDb db) {
    waiting.addAll(acknowledgements.take());
    int written = 0;
    while (!waiting.isEmpty()) {
      Delivery next = waiting.peek();
      db.runs().deliver(next.jobId(), next.rows(), next.move());
      waiting.remove();
      leases.drop(next.jobId());
      written++;
      LOG.info(
          "Job {} is delivered: {} rows{}",
          next.jobId(),
          next.rows(),
          next.move() == null
              ? ""
              : ", " + next.move().table() + " is exported up to " + next.move().value());
    }
    return written;
  }

  /** Whether anything waits to be written; callable from any thread. */
  boolean hasWork() {
    return !waiting.isEmpty() || acknowledgements.hasCertain();
  }

  /** How many acknowledged jobs wait for the database. */
  int waiting() {
    return waiting.size();
  }
}
