package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.EventLog;
import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.GuardBook;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.Plan;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.Role;
import io.lakexpress.lxdb.RunBook;
import io.lakexpress.lxdb.SyncBook;
import io.lakexpress.lxdb.TableLocks;
import io.lakexpress.lxdb.WatermarkBook;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.lxdb.WatermarkMove;
import io.lakexpress.watermark.TableId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** A LakeXpress DB in memory that can be down. Its parts that the source never asks are missing. */
public final class MemoryDb implements LakexpressDb {
  private final MemoryRunBook runs = new MemoryRunBook(this);
  private final Map<TableId, WatermarkBook.Watermark> watermarks = new LinkedHashMap<>();
  private final List<WatermarkBook.Advance> history = new ArrayList<>();
  private final Syncs syncs = new Syncs();
  private final GuardBook guard = new Samples();
  private final Watermarks book = new Watermarks();
  private Plan plan = new Plan(0, List.of());
  private SyncBook.Owner owner;
  private Instant now = Instant.parse("2026-12-01T12:00:00Z");
  private long started = System.nanoTime();
  private int jobNumber;
  private boolean down;
  private CountDownLatch answering = new CountDownLatch(0);
  String requested;

  /** The clock runs on, and can be set forward. */
  synchronized Instant now() {
    return now.plusNanos(System.nanoTime() - started);
  }

  public synchronized void advance(Duration time) {
    now = now.plus(time);
  }

  public synchronized void goDown() {
    down = true;
  }

  public synchronized void comeUp() {
    down = false;
  }

  /** Takes questions, but does not answer them until it is told to. */
  public synchronized void hang() {
    answering = new CountDownLatch(1);
  }

  public synchronized void answerAgain() {
    answering.countDown();
  }

  private synchronized CountDownLatch answering() {
    return answering;
  }

  synchronized String nextJobId() {
    return "j-" + ++jobNumber;
  }

  <T> T answer(Supplier<T> question) {
    try {
      answering().await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return answerNow(question);
  }

  private synchronized <T> T answerNow(Supplier<T> question) {
    if (down) {
      throw new LakexpressDbException(
          "Cannot reach the LakeXpress DB: it is down", null, LakexpressDbException.Kind.PASSING);
    }
    return question.get();
  }

  void tell(Runnable deed) {
    answer(
        () -> {
          deed.run();
          return true;
        });
  }

  LakexpressDbException refusal(String message) {
    return new LakexpressDbException(message, null, LakexpressDbException.Kind.LASTING);
  }

  void moveWatermark(WatermarkMove move, String runId, long rows, WatermarkCause cause) {
    WatermarkBook.Watermark before = watermarks.get(move.table());
    watermarks.put(
        move.table(),
        new WatermarkBook.Watermark(
            move.table(), move.column(), move.type(), move.value(), null, runId, now()));
    history.add(
        new WatermarkBook.Advance(
            move.table(),
            before == null ? null : before.lastExportedValue(),
            move.value(),
            runId,
            rows,
            now(),
            cause));
  }

  @Override
  public SyncBook syncs() {
    return syncs;
  }

  @Override
  public RunBook runs() {
    return runs;
  }

  /** Forgets a job as if the database had been dropped. */
  public void forget(String jobId) {
    runs.forget(jobId);
  }

  /** Gives a job to somebody else, as if its lease had ended unnoticed. */
  public void steal(String jobId, String owner) {
    runs.steal(jobId, owner);
  }

  @Override
  public WatermarkBook watermarks() {
    return book;
  }

  @Override
  public FileLedger ledger() {
    throw new UnsupportedOperationException("The source has no ledger");
  }

  @Override
  public EventLog log() {
    throw new UnsupportedOperationException("The source writes no events");
  }

  @Override
  public GuardBook guard() {
    return guard;
  }

  @Override
  public TableLocks locks() {
    throw new UnsupportedOperationException("The source takes no table locks");
  }

  @Override
  public void close() {}

  private final class Syncs implements SyncBook {
    @Override
    public void save(String syncId, String envName, String configJson) {}

    @Override
    public Optional<Sync> find(String syncId) {
      return Optional.empty();
    }

    @Override
    public List<Sync> list() {
      return List.of();
    }

    @Override
    public Plan plan(String syncId) {
      return answer(() -> plan);
    }

    @Override
    public Plan storePlan(String syncId, List<PlannedUnit> units) {
      return answer(() -> plan = new Plan(plan.generation() + 1, units));
    }

    @Override
    public Owner claim(String syncId, Role role, String connector, String instance, Duration ttl) {
      return answer(
          () -> {
            if (owner == null
                || owner.connector().equals(connector)
                || !owner.leaseUntil().isAfter(now())) {
              owner = new Owner(connector, instance, now().plus(ttl), true);
            }
            return owner;
          });
    }

    @Override
    public boolean renew(
        String syncId, Role role, String connector, String instance, Duration ttl) {
      return claim(syncId, role, connector, instance, ttl).connector().equals(connector);
    }

    @Override
    public void release(String syncId, Role role, String connector, String instance) {
      tell(
          () -> {
            if (owner != null && owner.connector().equals(connector)) {
              owner = null;
            }
          });
    }

    @Override
    public Optional<Owner> owner(String syncId, Role role) {
      return answer(() -> Optional.ofNullable(owner));
    }

    @Override
    public boolean hasLake(String syncId) {
      return false;
    }

    @Override
    public void requestRun(String syncId, String cause) {
      tell(() -> requested = cause);
    }

    @Override
    public Optional<String> requestedRun(String syncId) {
      return answer(() -> Optional.ofNullable(requested));
    }
  }

  private final class Samples implements GuardBook {
    private List<Sample> samples = List.of();

    @Override
    public List<Sample> samples(String syncId) {
      return answer(() -> samples);
    }

    @Override
    public void replace(String syncId, List<Sample> kept) {
      tell(() -> samples = List.copyOf(kept));
    }
  }

  private final class Watermarks implements WatermarkBook {
    @Override
    public Optional<Watermark> watermark(String syncId, TableId table) {
      return answer(() -> Optional.ofNullable(watermarks.get(table)));
    }

    @Override
    public List<Watermark> watermarks(String syncId) {
      return answer(() -> List.copyOf(watermarks.values()));
    }

    @Override
    public List<Advance> history(String syncId, TableId table) {
      return answer(() -> history.stream().filter(one -> one.table().equals(table)).toList());
    }

    @Override
    public void set(String syncId, WatermarkMove move, WatermarkCause cause) {
      tell(() -> moveWatermark(move, null, 0, cause));
    }

    @Override
    public void clear(String syncId, TableId table, WatermarkCause cause) {
      tell(() -> watermarks.remove(table));
    }

    @Override
    public Optional<String> adopt(String syncId, TableId table) {
      return watermark(syncId, table).flatMap(Watermark::exported);
    }
  }
}
