package io.lakexpress.connect.source;

import io.lakexpress.connect.source.read.GuardRule;
import io.lakexpress.connect.source.read.MemoryDb;
import io.lakexpress.connect.source.read.MemorySource;
import io.lakexpress.connect.source.read.ReaderSettings;
import io.lakexpress.connect.source.read.ReaderSettings.Delivery;
import io.lakexpress.connect.source.read.ReaderSettings.ErrorAction;
import io.lakexpress.connect.source.read.ReaderSettings.NullPolicy;
import io.lakexpress.connect.source.read.ReaderSettings.RecordKey;
import io.lakexpress.connect.source.read.ReaderSettings.SyncMode;
import io.lakexpress.connect.source.read.Schedule;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.connect.source.read.TableSelection;
import io.lakexpress.connect.source.read.Timing;
import io.lakexpress.connect.source.read.ZoneRule;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.Run;
import io.lakexpress.watermark.TableSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * A task between a source and a LakeXpress DB in memory, with Connect played by hand: what poll()
 * returned is in the topic; offsets are kept with it (exactly once) or by the next commit.
 */
final class TaskRig {
  static final String SPEC = "shop.orders:updated_at:timestamp";

  final MemorySource source;
  final MemoryDb db;
  final List<SourceRecord> topic;
  final Map<Map<String, ?>, Map<String, Object>> offsets;
  private final int taskIndex;

  Delivery delivery = Delivery.EXACTLY_ONCE;
  ErrorAction errorAction = ErrorAction.CONTINUE;
  NullPolicy nullPolicy = NullPolicy.SKIP;
  SyncMode mode = SyncMode.CONTINUOUS;
  String connector = "tpch-source";
  List<TableSpec> specs = TableSpec.parseList(SPEC);
  int batchRows = 3;
  int taskCount = 1;
  Duration look = Duration.ofMillis(20);
  Duration pause = Duration.ofSeconds(30);
  Duration lag = Duration.ofHours(1);
  ReaderSettings.Slicing slicing = ReaderSettings.Slicing.off();

  GuardRule guard = GuardRule.off();

  boolean flushing = true;

  /** Where Connect takes metrics; null as on an older one. */
  PluginMetrics metrics;

  private final List<SourceRecord> unwritten = new ArrayList<>();
  private LakeXpressSourceTask task;

  TaskRig() {
    this.source = new MemorySource();
    this.db = new MemoryDb();
    this.topic = new ArrayList<>();
    this.offsets = new HashMap<>();
    this.taskIndex = 0;
  }

  private TaskRig(TaskRig first, int taskIndex) {
    this.taskCount = first.taskCount;
    this.source = first.source;
    this.db = first.db;
    this.topic = first.topic;
    this.offsets = first.offsets;
    this.taskIndex = taskIndex;
  }

  /** Another task of the same connector. */
  TaskRig sibling(int index) {
    return new TaskRig(this, index);
  }

  TaskRig start() {
    task = new LakeXpressSourceTask(wiring(), Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
    task.initialize(new OffsetsContext(offsets, metrics));
    task.start(Map.of());
    return this;
  }

  LakeXpressSourceTask task() {
    return task;
  }

  /** One poll, acknowledged at once and with its offsets kept. */
  List<SourceRecord> poll() {
    List<SourceRecord> batch = task.poll();
    if (batch == null) {
      return List.of();
    }
    topic.addAll(batch);
    unwritten.addAll(batch);
    batch.forEach(record -> task.commitRecord(record, null));
    if (delivery == Delivery.EXACTLY_ONCE) {
      commit();
    }
    return batch;
  }

  /** Connect writes the offsets. */
  void commit() {
    synchronized (offsets) {
      unwritten.forEach(this::keep);
    }
    unwritten.clear();
    task.commit();
  }

  /** Polls until the topic has so many records, or the run is closed. */
  void pollRecords(int records) {
    until(() -> topic.size() >= records || isClosed(1));
  }

  /** The worker dies: what was not polled is lost, nothing is given back. */
  void kill() {
    unwritten.clear();
    db.goDown();
    task.stop();
    db.comeUp();
  }

  boolean isClosed(long number) {
    return db.runs().runs("shop", 1).stream()
        .anyMatch(run -> run.number() >= number && !run.isOpen());
  }

  @SuppressWarnings("unchecked") // Connect declares the offsets of a record with a wildcard.
  private void keep(SourceRecord record) {
    offsets.put(record.sourcePartition(), (Map<String, Object>) record.sourceOffset());
  }

  /** Polls until something holds, at most twenty seconds. */
  TaskRig until(BooleanSupplier holds) {
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("It never held; the topic has " + describe());
      }
      poll();
      if (delivery == Delivery.AT_LEAST_ONCE && flushing) {
        commit();
      }
    }
    return this;
  }

  /** Polls until the given run is delivered or failed. */
  TaskRig untilRun(long number) {
    return until(() -> isClosed(number));
  }

  /** Asks for a run and polls until it is closed. */
  TaskRig run() {
    long number = db.runs().latestRun("shop").map(Run::number).orElse(0L) + 1;
    db.syncs().requestRun("shop", "requested");
    return untilRun(number);
  }

  void stop() {
    task.stop();
  }

  /** The ids of a topic's rows, in order. */
  List<Long> ids(String table) {
    return topic.stream()
        .filter(record -> record.topic().equals(table))
        .map(record -> ((Struct) record.value()).getInt64("id"))
        .toList();
  }

  /** The ids of the rows of one job, in order. */
  List<Long> idsOf(String jobId) {
    return topic.stream()
        .filter(record -> !record.topic().equals("shop.runs"))
        .filter(record -> record.headers().lastWithName("lakexpress.job").value().equals(jobId))
        .map(record -> ((Struct) record.value()).getInt64("id"))
        .toList();
  }

  List<String> jobs(String table) {
    return topic.stream()
        .filter(record -> record.topic().equals(table))
        .map(record -> (String) record.headers().lastWithName("lakexpress.job").value())
        .distinct()
        .toList();
  }

  /** What the runs topic tells: kind, table, upper bound, rows. */
  List<String> told() {
    return topic.stream()
        .filter(record -> record.topic().equals("shop.runs"))
        .map(record -> (Struct) record.value())
        .map(
            told ->
                told.getString("kind")
                    + " "
                    + told.getString("table")
                    + " "
                    + told.getString("upper_bound")
                    + " "
                    + told.getInt64("rows"))
        .toList();
  }

  private List<String> describe() {
    return topic.stream().map(record -> record.topic() + " " + record.value()).toList();
  }

  ReaderSettings settings() {
    return new ReaderSettings(
        new ReaderSettings.Identity("shop", connector, taskIndex, taskCount, delivery),
        new ReaderSettings.Runs(
            mode,
            Schedule.every(Duration.ofDays(1)),
            lag,
            new ZoneRule(ZoneOffset.UTC, Map.of()),
            nullPolicy,
            errorAction,
            Duration.ofDays(90)),
        new TableSelection(List.of(), List.of(), List.of(), Set.of(), -1, -1),
        specs,
        new ReaderSettings.Records("", RecordKey.PRIMARY_KEY, batchRows, 1 << 20, 1 << 20),
        new Timing(
            Duration.ofSeconds(30),
            Duration.ofMillis(20),
            pause,
            look,
            Duration.ofMillis(20),
            Duration.ofMillis(5),
            Duration.ofMillis(50),
            5),
        slicing);
  }

  private SourceWiring wiring() {
    ReaderSettings settings = settings();
    return new SourceWiring() {
      @Override
      public ReaderSettings settings(Map<String, String> properties) {
        return settings;
      }

      @Override
      public LakexpressDb lakexpressDb(Map<String, String> properties) {
        db.runs().now();
        return db;
      }

      @Override
      public SourceDatabase sourceDatabase(Map<String, String> properties) {
        return source;
      }

      @Override
      public GuardRule guard(Map<String, String> properties) {
        return guard;
      }
    };
  }
}
