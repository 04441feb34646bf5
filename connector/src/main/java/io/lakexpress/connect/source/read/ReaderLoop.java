package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.JobStart.Claim;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.Run;
import io.lakexpress.watermark.TableId;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.DataException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reader's thread: joins or opens runs, claims jobs, reads them, waits. Tables take turns, one
 * batch each: a large table, or one that fails and is tried again, does not hold up its neighbours.
 */
final class ReaderLoop {
  private static final Logger LOG = LoggerFactory.getLogger(ReaderLoop.class);

  /** Jobs in hand at once, each with a connection; the first takes large ones, the others small. */
  private static final int LANES = 4;

  /** How often those that wait for others look again, at most. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  /** A job with where its claim came from, which counts until it is begun. */
  private record Waiting(Job job, Claim claim) {}

  private final ReaderParts parts;
  private final ReaderSettings settings;
  private final LakexpressDb db;
  private final Supplier<SourceDatabase> sources;
  private final RunOpener opener;
  private final StartUp startUp;
  private final RunWatch watch;
  private final List<Lane> lanes = new ArrayList<>();
  private final HeldSnapshots snapshots = new HeldSnapshots();
  private final Deque<Job> inherited = new ArrayDeque<>();
  private final Deque<Waiting> postponed = new ArrayDeque<>();

  private final Map<TableId, String> skipped = new HashMap<>();
  private final Duration patienceWithSiblings;
  private long quietUntil = System.nanoTime();
  private long claimAt = System.nanoTime();
  private long lookAgainAt = System.nanoTime();
  private int troubles;

  /**
   * A loop.
   *
   * @param source the connection for everything but rows, and for the rows of one table
   * @param sources makes further ones, which their maker closes in the end
   */
  ReaderLoop(
      ReaderParts parts, LakexpressDb db, SourceDatabase source, Supplier<SourceDatabase> sources) {
    this.parts = parts;
    this.settings = parts.settings();
    this.db = db;
    this.sources = sources;
    this.opener =
        new RunOpener(settings, db, source, parts.offsets(), LateCommitGuard.of(parts, db, source));
    this.watch = new RunWatch(parts, db);
    this.startUp = new StartUp(parts, db, source);
    this.patienceWithSiblings =
        settings.identity().taskCount() == 1
            ? Duration.ZERO
            : settings.timing().look().multipliedBy(2);
    lanes.add(lane(source));
  }

  private Lane lane(SourceDatabase source) {
    return new Lane(source, new JobReader(parts, db, source, snapshots, this::pause));
  }

  /** Nobody polls: no lane keeps a cursor and a transaction open. */
  private void pause() {
    lanes.forEach(lane -> lane.reader().pause());
    snapshots.releaseAll();
  }

  /**
   * Runs until the halt.
   *
   * @throws ConnectException if the task has to fail
   */
  void run() {
    parts.patience().tell(watch::start);
    try {
      readOn();
    } finally {
      snapshots.releaseAll();
    }
  }

  private void readOn() {
    inherited.addAll(startUp.run());
    while (true) {
      parts.halt().check();
      try {
        if (!advance()) {
          parts.halt().await(untilNextTurn());
        }
        troubles = 0;
        parts.metrics().sourceAnswers();
      } catch (LakexpressDbException | SourceException e) {
        parts.halt().check();
        if (e instanceof SourceException) {
          parts.metrics().sourceDown();
        } else {
          parts.metrics().lakexpressDbDown();
        }
        Duration wait = settings.timing().wait(++troubles);
        LOG.warn("Sync {} waits {}: {}", settings.identity().syncId(), wait, e.getMessage());
        parts.halt().sleep(wait);
      }
    }
  }

  /** Does what can be done now; false if there is nothing. */
  private boolean advance() {
    boolean isMoved = false;
    for (Lane lane : List.copyOf(lanes)) {
      if (isReady(lane)) {
        turn(lane);
        isMoved = true;
      }
    }
    return isAnyBusy() ? takeUpMore() || isMoved : takeUp() || isMoved;
  }

  private static boolean isReady(Lane lane) {
    return lane.isBusy() && lane.untilReady().compareTo(Duration.ZERO) <= 0;
  }

  private boolean isAnyBusy() {
    return lanes.stream().anyMatch(Lane::isBusy);
  }

  private Duration untilNextTurn() {
    Duration wait = settings.timing().look();
    if (!postponed.isEmpty()) {
      Duration rest = Duration.ofNanos(lookAgainAt - System.nanoTime());
      wait = rest.compareTo(wait) < 0 ? rest : wait;
    }
    for (Lane lane : lanes) {
      if (lane.isBusy() && lane.untilReady().compareTo(wait) < 0) {
        wait = lane.untilReady();
      }
    }
    return wait.isNegative() ? Duration.ZERO : wait;
  }

  /** Nothing is in hand: takes up a job, or opens a run if one is due. */
  private boolean takeUp() {
    closeSpareLanes();
    Lane first = lanes.get(0);
    if (!inherited.isEmpty()) {
      begin(first, inherited.remove(), Claim.INHERITED);
      return true;
    }
    Optional<Run> open = db.runs().openRun(settings.identity().syncId());
    open.ifPresent(watch::open);
    if (open.isEmpty()) {
      watch.none();
      postponed.forEach(waiting -> parts.leases().drop(waiting.job().jobId()));
      snapshots.releaseAll();
      postponed.clear();
      return openIfDue();
    }
    Optional<Job> next = claim(open.get(), Size.LARGEST);
    if (next.isPresent()) {
      begin(first, next.get(), Claim.NEW);
      claimAt = System.nanoTime() + patienceWithSiblings.toNanos();
      return true;
    }
    Waiting waiting = mayLookAgain() ? postponed.poll() : null;
    if (waiting != null) {
      begin(first, waiting.job(), waiting.claim());
      return true;
    }
    for (Job job : db.runs().failAbandoned(settings.identity().syncId())) {
      LOG.warn("Job {} of table {} is failed: {}", job.jobId(), job.table(), job.error());
    }
    return false;
  }

  /**
   * Something is in hand and not at its end after its turn: lets a neighbour in, once the other
   * tasks have had the time to take it.
   */
  private boolean takeUpMore() {
    if (System.nanoTime() - claimAt < 0) {
      return false;
    }
    Optional<Lane> free = freeLane();
    if (free.isEmpty()) {
      return false;
    }
    Waiting taken =
        inherited.isEmpty() ? neighbour() : new Waiting(inherited.remove(), Claim.INHERITED);
    if (taken == null) {
      claimAt = System.nanoTime() + settings.timing().look().toNanos();
      return false;
    }
    Job next = taken.job();
    if (lanes.stream().anyMatch(lane -> lane.isBusy() && excludes(lane, next))) {
      // An earlier run's job of the table is in hand, and has to end first.
      parts.leases().take(next.jobId());
      postponed.add(taken);
      claimAt = System.nanoTime() + settings.timing().look().toNanos();
      return false;
    }
    begin(free.get(), next, taken.claim());
    return true;
  }

  private Optional<Lane> freeLane() {
    Optional<Lane> free = lanes.stream().filter(lane -> !lane.isBusy()).findFirst();
    if (free.isPresent() || lanes.size() >= LANES) {
      return free;
    }
    Lane another = lane(sources.get());
    lanes.add(another);
    return Optional.of(another);
  }

  private static boolean excludes(Lane lane, Job job) {
    Job inHand = lane.reader().current();
    return inHand.table().equals(job.table())
        && !(inHand.runId().equals(job.runId()) && !inHand.slice().equals(job.slice()));
  }

  /**
   * The smallest job that nobody has, else one that was postponed; null if there is none, or the
   * database does not say.
   */
  private Waiting neighbour() {
    try {
      return db.runs()
          .openRun(settings.identity().syncId())
          .flatMap(run -> claim(run, Size.SMALLEST))
          .map(job -> new Waiting(job, Claim.NEW))
          .orElseGet(() -> mayLookAgain() ? postponed.poll() : null);
    } catch (LakexpressDbException e) {
      // What is in hand goes on meanwhile.
      LOG.warn("No further table is taken up for now: {}", e.getMessage());
      return null;
    }
  }

  /** Whether what was postponed has its turn; all of it, until one is postponed again. */
  private boolean mayLookAgain() {
    return System.nanoTime() - lookAgainAt >= 0;
  }

  private enum Size {
    LARGEST,
    SMALLEST
  }

  private Optional<Job> claim(Run run, Size size) {
    String owner = settings.identity().owner();
    Duration lease = settings.timing().lease();
    while (true) {
      Optional<Job> job =
          size == Size.LARGEST
              ? db.runs().claimNext(run.runId(), owner, lease)
              : db.runs().claimSmallest(run.runId(), owner, lease);
      if (job.isEmpty() || !parts.leases().holds(job.get().jobId())) {
        return job;
      }
      // One of ours whose lease had ended: claiming it has renewed it, it is in hand already.
      parts.leases().take(job.get().jobId());
    }
  }

  /** Ends the connections of all lanes but the first; they connect anew when they are used. */
  private void closeSpareLanes() {
    lanes.stream().skip(1).forEach(lane -> lane.source().close());
  }

  private boolean openIfDue() {
    String syncId = settings.identity().syncId();
    Optional<String> requested = db.syncs().requestedRun(syncId);
    if (requested.isPresent()) {
      watch.open(opener.open(requested.get()));
      return true;
    }
    if (settings.runs().mode() == ReaderSettings.SyncMode.ON_DEMAND
        || System.nanoTime() - quietUntil < 0) {
      return false;
    }
    Optional<Run> latest = db.runs().latestRun(syncId);
    Instant opened = latest.map(Run::openedAt).orElse(null);
    Duration rest = settings.runs().schedule().untilDue(opened, db.runs().now());
    if (rest.isZero()) {
      watch.open(opener.open(latest.isPresent() ? "schedule" : "start"));
      return true;
    }
    Duration quiet = rest.compareTo(Duration.ofMinutes(1)) < 0 ? rest : Duration.ofMinutes(1);
    quietUntil = System.nanoTime() + quiet.toNanos();
    return false;
  }

  private void begin(Lane lane, Job job, Claim claim) {
    parts.leases().take(job.jobId());
    metrics(job).begun(parts.metrics().heldBack());
    lane.begin(job, claim);
  }

  private TableMetrics metrics(Job job) {
    return parts.metrics().table(job.table());
  }

  /** Lets a lane read one batch. */
  private void turn(Lane lane) {
    JobReader reader = lane.reader();
    Job job = reader.current();
    try {
      String skip = skipped.get(job.table());
      if (skip != null) {
        throw new TableFailure(
            "Skipped until the connector is restarted, since it failed: " + skip);
      }
      metrics(job).goesOn();
      long before = parts.handOver().handedOver();
      if (reader.proceed()) {
        metrics(job).leftAlone();
        lane.end();
      } else if (parts.handOver().handedOver() > before) {
        lane.progressed();
      }
    } catch (JobReader.Postponed e) {
      LOG.debug("Table {} waits: {}", job.table(), e.getMessage());
      metrics(job).waits(e.getMessage());
      postpone(new Waiting(reader.current(), reader.claim()));
      lane.end();
    } catch (JobReader.LeaseLost e) {
      LOG.warn("Table {} is left alone: {}", job.table(), e.getMessage());
      metrics(job).leftAlone();
      parts.leases().drop(reader.current().jobId());
      snapshots.release(reader.current().jobId());
      letGoOfHelped(reader);
      lane.end();
    } catch (TableFailure e) {
      fail(lane, e.getMessage());
    } catch (SourceException e) {
      tryAgainOrFail(lane, e);
    } catch (LakexpressDbException e) {
      // Refused for good: a job that stayed claimed and unread would keep its run open for ever.
      fail(lane, "Cannot go on with table " + job.table() + ": " + e.getMessage());
    } catch (DataException | IllegalArgumentException | ArithmeticException | DateTimeException e) {
      // A value nobody thought of is a fault of this table, not of the others.
      parts.halt().check();
      LOG.error("Table {} cannot be read", job.table(), e);
      fail(lane, "Cannot read table " + job.table() + ": " + e.getMessage());
    }
  }

  private void postpone(Waiting waiting) {
    postponed.add(waiting);
    Duration look = settings.timing().look();
    Duration wait = look.compareTo(LOOK_AGAIN) < 0 ? look : LOOK_AGAIN;
    lookAgainAt = System.nanoTime() + wait.toNanos();
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
    LOG.warn("{}: tried again in {}: {}", JobText.of(job), wait, e.getMessage());
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

  private void fail(Lane lane, String reason) {
    JobReader reader = lane.reader();
    Job job = reader.current();
    lane.end();
    snapshots.release(job.jobId());
    metrics(job).failed(reason, stateAfterFailure());
    LOG.error("{}: failed: {}", JobText.of(job), reason);
    // Whoever claims its open window next must find the offsets of all rows that are on their way.
    parts.handOver().awaitTaken(settings.timing().lease());
    parts.leases().drop(job.jobId());
    letGoOfHelped(reader);
    parts.patience().tell(() -> db.runs().fail(job.jobId(), reason));
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

  private void letGoOfHelped(JobReader reader) {
    reader
        .helped()
        .ifPresent(
            jobId -> {
              parts.leases().drop(jobId);
              parts
                  .patience()
                  .tell(() -> db.runs().release(List.of(jobId), settings.identity().owner()));
            });
  }
}
