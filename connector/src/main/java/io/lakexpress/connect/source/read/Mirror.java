package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.ClosingRecord.Delivery;
import io.lakexpress.lxdb.Job;
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
  private final SyncMetrics metrics;
  private final Deque<Delivery> waiting = new ConcurrentLinkedDeque<>();

  Mirror(Acknowledgements acknowledgements, Leases leases, SyncMetrics metrics) {
    this.metrics = metrics;
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
    metrics.deliveriesWaiting(waiting.size());
    int written = 0;
    while (!waiting.isEmpty()) {
      Delivery next = waiting.peek();
      Job job = next.job();
      db.runs().deliver(job.jobId(), next.rows(), next.move());
      waiting.remove();
      leases.drop(job.jobId());
      written++;
      metrics.deliveriesWaiting(waiting.size());
      metrics
          .table(job.table())
          .delivered(next.move() == null ? null : next.move().value(), next.completeTo());
      LOG.info(
          "{}: delivered with {} rows", JobText.of(job, next.lower(), next.upper()), next.rows());
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
