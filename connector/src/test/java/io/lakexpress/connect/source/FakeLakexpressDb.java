package io.lakexpress.connect.source;

import io.lakexpress.lxdb.EventLog;
import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.GuardBook;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.Plan;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.RunBook;
import io.lakexpress.lxdb.SyncBook;
import io.lakexpress.lxdb.TableLocks;
import io.lakexpress.lxdb.WatermarkBook;
import io.lakexpress.lxdb.WatermarkCause;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The parts of a LakeXpress DB that the connector itself uses: it keeps watermarks and a plan, and
 * notes what is changed. Everything else refuses.
 */
final class FakeLakexpressDb implements LakexpressDb {
  private final List<String> changes = new ArrayList<>();
  private final List<PlannedUnit> plan = new ArrayList<>();
  private final Map<TableId, WatermarkBook.Watermark> watermarks = new TreeMap<>();
  private final Map<TableId, WatermarkCause> causes = new TreeMap<>();
  private final Map<String, Run> runs = new TreeMap<>();
  private final List<Job> jobs = new ArrayList<>();
  private boolean down;

  FakeLakexpressDb planned(String table, String spec) {
    plan.add(new PlannedUnit(TableId.parse(table), Slice.WHOLE, spec, 0));
    return this;
  }

  FakeLakexpressDb watermark(String table, String column, String type, String value) {
    TableId id = TableId.parse(table);
    watermarks.put(
        id, new WatermarkBook.Watermark(id, column, type, value, null, "r-1", Instant.EPOCH));
    return this;
  }

  /** A run that made a table's watermark, and the table's job of it. */
  FakeLakexpressDb run(Run run, Job job) {
    runs.put(run.runId(), run);
    jobs.add(job);
    return this;
  }

  /** The watermark was set last by this. */
  FakeLakexpressDb lastMove(String table, WatermarkCause cause) {
    causes.put(TableId.parse(table), cause);
    return this;
  }

  FakeLakexpressDb down() {
    down = true;
    return this;
  }

  /** What was changed, in order. */
  List<String> changes() {
    return List.copyOf(changes);
  }

  /** A book that knows the given calls, by method name. */
  private <T> T book(Class<T> type, Map<String, Answer> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (down) {
                throw new LakexpressDbException(
                    "Cannot reach the LakeXpress DB: connection refused",
                    null,
                    LakexpressDbException.Kind.PASSING);
              }
              Answer answer = answers.get(method.getName());
              if (answer == null) {
                throw new UnsupportedOperationException(method.toString());
              }
              return answer.to(arguments);
            }));
  }

  /** What a call returns. */
  private interface Answer {
    Object to(Object[] arguments);
  }

  private Answer noted(String deed) {
    return arguments -> {
      changes.add(deed + List.of(arguments));
      return null;
    };
  }

  @Override
  public SyncBook syncs() {
    return book(SyncBook.class, Map.of("plan", arguments -> new Plan(1, plan)));
  }

  @Override
  public RunBook runs() {
    return book(
        RunBook.class,
        Map.of(
            "now",
            arguments -> Instant.EPOCH,
            "run",
            arguments -> Optional.ofNullable(runs.get((String) arguments[0])),
            "jobs",
            arguments -> jobs.stream().filter(job -> job.runId().equals(arguments[0])).toList(),
            "abandonTable",
            noted("abandon")));
  }

  @Override
  public WatermarkBook watermarks() {
    return book(
        WatermarkBook.class,
        Map.of(
            "watermark",
            arguments -> Optional.ofNullable(watermarks.get((TableId) arguments[1])),
            "watermarks",
            arguments -> List.copyOf(watermarks.values()),
            "history",
            arguments -> history((TableId) arguments[1]),
            "set",
            noted("set"),
            "clear",
            noted("clear")));
  }

  private List<WatermarkBook.Advance> history(TableId table) {
    return causes.containsKey(table)
        ? List.of(
            new WatermarkBook.Advance(
                table, null, "any", null, 0, Instant.EPOCH, causes.get(table)))
        : List.of();
  }

  @Override
  public FileLedger ledger() {
    return book(FileLedger.class, Map.of());
  }

  @Override
  public EventLog log() {
    return book(EventLog.class, Map.of());
  }

  @Override
  public GuardBook guard() {
    return book(GuardBook.class, Map.of());
  }

  @Override
  public TableLocks locks() {
    return book(TableLocks.class, Map.of());
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
