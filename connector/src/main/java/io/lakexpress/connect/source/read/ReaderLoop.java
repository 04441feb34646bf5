package io.lakexpress.connect.source.read;

import io.lakexpress.connect.source.read.JobSupply.Waiting;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.connect.errors.ConnectException;
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

  /** An idle reader asks for the latest run this often at least: somebody may alter its times. */
  private static final Duration LONGEST_REST = Duration.ofMinutes(1);

  private final ReaderParts parts;
  private final ReaderSettings settings;
  private final LakexpressDb db;
  private final Supplier<SourceDatabase> sources;
  private final RunOpener opener;
  private final StartUp startUp;
  private final RunWatch watch;
  private final JobSupply supply;
  private final Turns turns;
  private final List<Lane> lanes = new ArrayList<>();
  private final HeldSnapshots snapshots = new HeldSnapshots();
  private final Duration patienceWithSiblings;
  private long restUntil = System.nanoTime();
  private boolean isResting;
  private long claimAt = System.nanoTime();
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
    this.supply = new JobSupply(parts, db);
    this.turns = new Turns(parts, db, supply, snapshots, lanes);
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
    supply.inherit(startUp.run());
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
        turns.turn(lane);
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
    if (isResting) {
      wait = shorter(wait, Duration.ofNanos(restUntil - System.nanoTime()));
    }
    wait = shorter(wait, supply.untilLookAgain().orElse(wait));
    for (Lane lane : lanes) {
      if (lane.isBusy()) {
        wait = shorter(wait, lane.untilReady());
      }
    }
    return wait.isNegative() ? Duration.ZERO : wait;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** Nothing is in hand: takes up a job, or opens a run if one is due. */
  private boolean takeUp() {
    isResting = false;
    closeSpareLanes();
    Lane first = lanes.get(0);
    Optional<Waiting> before = supply.first();
    if (before.isPresent()) {
      turns.begin(first, before.get());
      return true;
    }
    Optional<Run> open = db.runs().openRun(settings.identity().syncId());
    open.ifPresent(watch::open);
    if (open.isEmpty()) {
      watch.none();
      supply.forgetPostponed();
      snapshots.releaseAll();
      return openIfDue();
    }
    Optional<Waiting> next = supply.largest(open.get());
    if (next.isPresent()) {
      turns.begin(first, next.get());
      claimAt = System.nanoTime() + patienceWithSiblings.toNanos();
      return true;
    }
    Optional<Waiting> waiting = supply.postponed();
    if (waiting.isPresent()) {
      turns.begin(first, waiting.get());
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
    Optional<Waiting> taken = supply.neighbour();
    if (taken.isEmpty()) {
      claimAt = System.nanoTime() + settings.timing().look().toNanos();
      return false;
    }
    Job next = taken.get().job();
    if (lanes.stream().anyMatch(lane -> lane.isBusy() && excludes(lane, next))) {
      // An earlier run's job of the table is in hand, and has to end first.
      supply.putBack(taken.get());
      claimAt = System.nanoTime() + settings.timing().look().toNanos();
      return false;
    }
    turns.begin(free.get(), taken.get());
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
    if (settings.runs().mode() == ReaderSettings.SyncMode.ON_DEMAND) {
      return false;
    }
    isResting = true;
    if (System.nanoTime() - restUntil < 0) {
      return false;
    }
    Optional<Run> latest = db.runs().latestRun(syncId);
    Instant opened = latest.map(Run::openedAt).orElse(null);
    Duration rest = settings.runs().schedule().untilDue(opened, db.runs().now());
    if (rest.isZero()) {
      watch.open(opener.open(latest.isPresent() ? "schedule" : "start"));
      return true;
    }
    restUntil = System.nanoTime() + shorter(rest, LONGEST_REST).toNanos();
    return false;
  }
}
