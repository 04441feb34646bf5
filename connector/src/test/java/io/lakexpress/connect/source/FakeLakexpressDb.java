package io.lakexpress.connect.source;

import io.lakexpress.lxdb.EventLog;
import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.GuardBook;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.Plan;
import io.lakexpress.lxdb.PlannedUnit;
import io.lakexpress.lxdb.RunBook;
import io.lakexpress.lxdb.SyncBook;
import io.lakexpress.lxdb.TableLocks;
import io.lakexpress.lxdb.WatermarkBook;
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
        RunBook.class, Map.of("now", arguments -> Instant.EPOCH, "abandonTable", noted("abandon")));
  }

  @Override
  public WatermarkBook watermarks() {
    return book(
        WatermarkBook.class,
        Map.of(
            "watermark",
            arguments -> Optional.ofNullable(watermarks.get((TableId) arguments[1])),
            "set",
            noted("set"),
            "clear",
            noted("clear")));
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
