package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.JobSupply.Waiting;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.watermark.TableId;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets lanes read, and decides what becomes of a job that does not come on: tried again, postponed,
 * left alone, or failed. No lane waits for another. Owned by the reader's thread.
 */
final class Turns {
  private static final Logger LOG = LoggerFactory.getLogger(Turns.class);

  private final ReaderParts parts;
  private final ReaderSettings settings;
  private final LakexpressDb db;
  private final JobSupply supply;
  private final HeldSnapshots snapshots;
  private final List<Lane> lanes;
  private final Map<TableId, String> skipped = new HashMap<>();

  /**
   * The turns of a task's lanes.
   *
   * @param lanes all of them; others may be added later
   */
  Turns(
      ReaderParts parts,
      LakexpressDb db,
      JobSupply supply,
      HeldSnapshots snapshots,
      List<Lane> lanes) {
    this.parts = parts;
    this.settings = parts.settings();
    this.db = db;
    this.supply = supply;
    this.snapshots = snapshots;
    this.lanes = lanes;
  }

  void begin(Lane lane, Waiting waiting) {
    parts.leases().take(waiting.job().jobId());
    metrics(waiting.job()).begun(parts.metrics().heldBack());
    lane.begin(waiting.job(), waiting.claim());
  }

  private TableMetrics metrics(Job job) {
    return parts.metrics().table(job.table());
  }

  /** Lets a lane read one batch. */
  void turn(Lane lane) {
    try {
      if (lane.failure().isPresent()) {
        tellFailure(lane, lane.failure().get());
      } else {
        read(lane);
      }
      if (lane.answered()) {
        parts.metrics().lakexpressDbAnswers();
      }
    } catch (LakexpressDbException e) {
      waitForLakexpressDb(lane, e);
    }
  }

  private void read(Lane lane) {
    JobReader reader = lane.reader();
    Job job = reader.current();
    try {
      String skip = skipped.get(job.table());
      if (skip != null) {
        leaveOut(lane, "Skipped until the connector is restarted, since it failed: " + skip);
        return;
      }
      metrics(job).goesOn();
      long before = parts.handOver().handedOver();
      boolean hasEnded = reader.proceed();
      if (parts.handOver().handedOver() > before) {
        lane.progressed();
      }
      if (hasEnded) {
        end(lane);
      }
    } catch (JobReader.Postponed e) {
      LOG.debug("Table {} waits: {}", job.table(), e.getMessage());
      metrics(job).waits(e.getMessage());
      reader.letGoOfHelped();
      supply.postpone(new Waiting(reader.current(), reader.claim()));
      lane.end();
    } catch (JobReader.LeaseLost e) {
      LOG.warn("Table {} is left alone: {}", job.table(), e.getMessage());
      parts.leases().drop(reader.current().jobId());
      snapshots.release(reader.current().jobId());
      reader.letGoOfHelped();
      end(lane);
    } catch (TableFailure e) {
      fail(lane, e.getMessage());
    } catch (SourceException e) {
      tryAgainOrFail(lane, e);
    } catch (LakexpressDbException e) {
      if (e.isRetriable()) {
        throw e;
      }
      // Refused for good: a job that stayed claimed and unread would keep its run open for ever.
      fail(lane, "Cannot go on with table " + job.table() + ": " + e.getMessage());
    } catch (DataException | IllegalArgumentException | ArithmeticException | DateTimeException e) {
      // A value nobody thought of is a fault of this table, not of the others.
      parts.halt().check();
      LOG.error("Table {} cannot be read", job.table(), e);
      fail(lane, "Cannot read table " + job.table() + ": " + e.getMessage());
    }
  }

  private void end(Lane lane) {
    Job job = lane.reader().current();
    lane.end();
    boolean isReadElsewhere =
        lanes.stream()
            .anyMatch(
                other -> other.isBusy() && other.reader().current().table().equals(job.table()));
    if (!isReadElsewhere) {
      metrics(job).leftAlone();
    }
  }

  private void waitForLakexpressDb(Lane lane, LakexpressDbException e) {
    parts.halt().check();
    Job job = lane.reader().current();
    parts.metrics().lakexpressDbDown();
    if (lane.failure().isEmpty()) {
      metrics(job).waits(e.getMessage());
    }
    int number = lane.unanswered();
    // Not longer than a lease lives, so that what was claimed is still ours.
    Duration wait = settings.timing().renewalWait(number);
    if (number == 1) {
      LOG.warn("{}: waits for the LakeXpress DB: {}", JobText.of(job), e.getMessage());
    } else {
      LOG.debug("{}: waits {} more: {}", JobText.of(job), wait, e.getMessage());
    }
    lane.waitFor(wait);
  }

  private void tryAgainOrFail(Lane lane, SourceException e) {
    parts.halt().check();
    Job job = lane.reader().current();
    int tries = lane.failedTry();
    if (e.kind() == SourceException.Kind.LASTING || tries >= settings.timing().tries()) {
      fail(lane, reason(job, e));
      return;
    }
    Duration wait = settings.timing().wait(tries);
    metrics(job).triedAgain(e.getMessage());
    LOG.warn("{}: tried again in {}: {}", JobText.of(job), Verdict.text(wait), e.getMessage());
    lane.waitFor(wait);
  }

  private String reason(Job job, SourceException e) {
    String said = e.getMessage();
    String reason =
        said.contains(job.table().toString())
            ? said
            : "Cannot read table " + job.table() + ": " + said;
    return e.kind() == SourceException.Kind.LASTING
        ? reason
        : reason + " (" + settings.timing().tries() + " tries without progress)";
  }

  /** Its failure was told before. */
  private void leaveOut(Lane lane, String reason) {
    LOG.info("{}: {}", JobText.of(lane.reader().current()), reason);
    end(lane, reason);
  }

  private void fail(Lane lane, String reason) {
    LOG.error("{}: failed: {}", JobText.of(lane.reader().current()), reason);
    end(lane, reason);
  }

  private void end(Lane lane, String reason) {
    Job job = lane.reader().current();
    lane.fail(reason);
    snapshots.release(job.jobId());
    metrics(job).failed(reason, stateAfterFailure());
    // Whoever claims its open window next must find the offsets of all rows that are on their way.
    parts.handOver().awaitTaken(settings.timing().lease());
    tellFailure(lane, reason);
  }

  /** The job stays ours until the LakeXpress DB knows why it failed. */
  private void tellFailure(Lane lane, String reason) {
    JobReader reader = lane.reader();
    Job job = reader.current();
    try {
      db.runs().fail(job.jobId(), reason);
    } catch (LakexpressDbException e) {
      if (e.isRetriable()) {
        throw e;
      }
      LOG.warn("{}: its failure is not recorded: {}", JobText.of(job), e.getMessage());
    }
    parts.leases().drop(job.jobId());
    reader.letGoOfHelped();
    lane.end();
    switch (settings.runs().errorAction()) {
      case CONTINUE -> {}
      case SKIP -> skipped.putIfAbsent(job.table(), reason);
      case FAIL -> throw new ConnectException(reason);
    }
  }

  private TableState stateAfterFailure() {
    return switch (settings.runs().errorAction()) {
      case SKIP -> TableState.SKIPPED;
      case CONTINUE, FAIL -> TableState.FAILED;
    };
  }
}
