package io.lakexpress.connect.source;

import io.lakexpress.connect.TestingPostgres;
import io.lakexpress.connect.source.jdbc.JdbcSource;
import io.lakexpress.connect.source.jdbc.ReadSettings;
import io.lakexpress.connect.source.jdbc.SourceTarget;
import io.lakexpress.connect.source.read.Activity;
import io.lakexpress.connect.source.read.GuardRule;
import io.lakexpress.connect.source.read.HeldSnapshot;
import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.connect.source.read.ReaderSettings;
import io.lakexpress.connect.source.read.ReaderSettings.Delivery;
import io.lakexpress.connect.source.read.ReaderSettings.ErrorAction;
import io.lakexpress.connect.source.read.ReaderSettings.NullPolicy;
import io.lakexpress.connect.source.read.ReaderSettings.RecordKey;
import io.lakexpress.connect.source.read.ReaderSettings.SyncMode;
import io.lakexpress.connect.source.read.RowCursor;
import io.lakexpress.connect.source.read.Schedule;
import io.lakexpress.connect.source.read.SourceColumn;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.connect.source.read.SourceTable;
import io.lakexpress.connect.source.read.TableSelection;
import io.lakexpress.connect.source.read.Timing;
import io.lakexpress.connect.source.read.ZoneRule;
import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.jdbc.DatabaseTarget;
import io.lakexpress.lxdb.jdbc.LakexpressDatabases;
import io.lakexpress.offset.OffsetPartition;
import io.lakexpress.watermark.SliceMethod;
import io.lakexpress.watermark.TableId;
import io.lakexpress.watermark.TableSpec;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkValue;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * A task between a real PostgreSQL and a real LakeXpress DB, with Connect's exactly-once delivery
 * played by hand. The instant at which runs end is set by the test.
 */
final class PostgresTask implements AutoCloseable {
  static final String SYNC = "shop";

  final TestingPostgres postgres = TestingPostgres.createDatabase();
  final List<SourceRecord> topic = new ArrayList<>();
  final LakexpressDb db;

  Duration lag = Duration.ofMinutes(1);
  ZoneId zone = ZoneOffset.UTC;
  GuardRule guard = GuardRule.off();
  Map<TableId, ZoneId> zones = Map.of();
  NullPolicy nullPolicy = NullPolicy.SKIP;
  List<String> schemas = List.of("public");
  List<String> include = List.of();
  String user = postgres.user();
  String spec;
  int batchRows = 100;
  int fetchRows = 100;
  ReaderSettings.Slicing slicing = ReaderSettings.Slicing.off();

  private final DatabaseTarget lakexpressDb;
  private final Map<Map<String, ?>, Map<String, Object>> offsets = new HashMap<>();
  private final AtomicInteger reads = new AtomicInteger();
  private volatile boolean isClockSet = true;
  private volatile Instant now = Instant.parse("2025-01-01T00:00:00Z");
  private LakeXpressSourceTask task;

  /** What is read, and by whom; the test's own database if it is not set. */
  SourceTarget target;

  /** Changes what the task is told. */
  UnaryOperator<ReaderSettings> adjusted = UnaryOperator.identity();

  PostgresTask(Path folder, String spec) {
    this.lakexpressDb = new DatabaseTarget("jdbc:sqlite:" + folder.resolve("lxdb.db"), "", "");
    this.db = LakexpressDatabases.open(lakexpressDb);
    this.spec = spec;
  }

  /** The windows of the next run end exactly here, themselves included. */
  PostgresTask windowsEndAt(String instant) {
    now = Instant.parse(instant).plusNanos(1000).plus(lag);
    return this;
  }

  /** The database's own clock, and no lag. */
  PostgresTask realClock() {
    isClockSet = false;
    lag = Duration.ZERO;
    return this;
  }

  /** The windows of the next run are bounded by this instant; whatever comes at it is later. */
  PostgresTask boundedBy(String instant) {
    now = Instant.parse(instant).plus(lag);
    return this;
  }

  PostgresTask start() {
    task = new LakeXpressSourceTask(new Wiring(), Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
    task.initialize(new OffsetsContext(offsets));
    task.start(Map.of());
    return this;
  }

  void stop() {
    task.stop();
  }

  void restart() {
    stop();
    start();
  }

  /** Asks for a run and polls until it is closed; what it sent. */
  List<SourceRecord> run() {
    int before = topic.size();
    long number = db.runs().latestRun(SYNC).map(Run::number).orElse(0L) + 1;
    db.syncs().requestRun(SYNC, "requested");
    until(() -> isClosed(number));
    return List.copyOf(topic.subList(before, topic.size()));
  }

  /** Polls until the first run is closed. */
  void firstRun() {
    until(() -> isClosed(1));
  }

  /** Polls until something holds, at most a minute. */
  void until(BooleanSupplier holds) {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("It never held; the topics have " + topic.size() + " records");
      }
      List<SourceRecord> batch = task.poll();
      if (batch != null) {
        deliver(batch);
      }
    }
  }

  private void deliver(List<SourceRecord> batch) {
    topic.addAll(batch);
    synchronized (offsets) {
      batch.forEach(this::keep);
    }
    batch.forEach(record -> task.commitRecord(record, null));
    task.commit();
  }

  @SuppressWarnings("unchecked") // Connect declares the offsets of a record with a wildcard.
  private void keep(SourceRecord record) {
    offsets.put(record.sourcePartition(), (Map<String, Object>) record.sourceOffset());
  }

  private boolean isClosed(long number) {
    return db.runs().runs(SYNC, 1).stream()
        .anyMatch(run -> run.number() >= number && !run.isOpen());
  }

  /** The rows of all that was sent, without what the runs topic tells. */
  List<Struct> rows() {
    return rows(topic);
  }

  static List<Struct> rows(List<SourceRecord> sent) {
    return sent.stream()
        .filter(record -> !record.topic().endsWith(".runs"))
        .map(record -> (Struct) record.value())
        .toList();
  }

  /** The rows that a job sent. */
  List<SourceRecord> rowsOf(String jobId) {
    return topic.stream()
        .filter(record -> !record.topic().endsWith(".runs"))
        .filter(record -> jobId.equals(record.headers().lastWithName("lakexpress.job").value()))
        .toList();
  }

  /** The jobs that sent rows. */
  List<Object> jobs() {
    return topic.stream()
        .filter(record -> !record.topic().endsWith(".runs"))
        .map(record -> record.headers().lastWithName("lakexpress.job").value())
        .distinct()
        .toList();
  }

  /** The jobs of the latest run, by table name. */
  Map<String, Job> latestJobs() {
    Run latest = db.runs().latestRun(SYNC).orElseThrow();
    return db.runs().jobs(latest.runId()).stream()
        .filter(job -> !job.isReplaced())
        .collect(Collectors.toMap(job -> job.table().table(), job -> job));
  }

  /** The ids of rows that were sent. */
  static List<Integer> ids(List<SourceRecord> sent) {
    return rows(sent).stream().map(row -> ((Number) row.get("id")).intValue()).toList();
  }

  /** What Connect keeps of a table, or null. */
  Map<String, Object> offset(TableId table) {
    synchronized (offsets) {
      return offsets.get(OffsetPartition.of(SYNC, table).toMap());
    }
  }

  /** All that Connect keeps. */
  Map<Map<String, ?>, Map<String, Object>> offsets() {
    return offsets;
  }

  /** The properties of a real connector for the same databases. */
  Map<String, String> properties(String... keysAndValues) {
    Map<String, String> properties = new HashMap<>();
    properties.put("sync.id", SYNC);
    properties.put("lxdb.url", lakexpressDb.url());
    properties.put("source.url", postgres.url());
    properties.put("source.user", user);
    properties.put("source.time.zone", "UTC");
    properties.put("incremental.tables", spec);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      properties.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return properties;
  }

  /** How often rows were asked for. */
  int reads() {
    return reads.get();
  }

  /** The watermark in the table's offset. */
  Object offsetValue(TableId table) {
    return offset(table).get("last_exported_value");
  }

  /** The watermark in the LakeXpress DB. */
  String mirroredValue(TableId table) {
    return db.watermarks().watermark(SYNC, table).orElseThrow().lastExportedValue();
  }

  @Override
  public void close() {
    task.stop();
    db.close();
  }

  private ReaderSettings settings() {
    return new ReaderSettings(
        new ReaderSettings.Identity(SYNC, "shop-source", 0, 1, Delivery.EXACTLY_ONCE),
        new ReaderSettings.Runs(
            SyncMode.CONTINUOUS,
            Schedule.every(Duration.ofDays(1)),
            lag,
            new ZoneRule(zone, zones),
            nullPolicy,
            ErrorAction.CONTINUE,
            Duration.ofDays(90)),
        new TableSelection(schemas, include, List.of(), Set.of(), -1, -1),
        TableSpec.parseList(spec),
        new ReaderSettings.Records("", RecordKey.PRIMARY_KEY, batchRows, 1 << 20, 1 << 20),
        new Timing(
            Duration.ofSeconds(30),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofMillis(20),
            Duration.ofMillis(20),
            Duration.ofMillis(20),
            Duration.ofMillis(200),
            5),
        slicing);
  }

  private ReadSettings readSettings() {
    ReadSettings defaults = ReadSettings.defaults();
    return new ReadSettings(
        fetchRows,
        defaults.fetchBytes(),
        defaults.timePrecision(),
        defaults.decimalHandling(),
        defaults.fieldNames(),
        defaults.recordKey());
  }

  private final class Wiring implements SourceWiring {
    @Override
    public ReaderSettings settings(Map<String, String> properties) {
      return adjusted.apply(PostgresTask.this.settings());
    }

    @Override
    public LakexpressDb lakexpressDb(Map<String, String> properties) {
      return LakexpressDatabases.open(lakexpressDb);
    }

    @Override
    public SourceDatabase sourceDatabase(Map<String, String> properties) {
      if (target != null) {
        return new SetClock(JdbcSource.open(target, readSettings()));
      }
      ReadSettings defaults = ReadSettings.defaults();
      return new SetClock(
          JdbcSource.open(
              new SourceTarget(postgres.url(), user, null, Map.of(), SYNC),
              new ReadSettings(
                  fetchRows,
                  defaults.fetchBytes(),
                  defaults.timePrecision(),
                  defaults.decimalHandling(),
                  defaults.fieldNames(),
                  defaults.recordKey())));
    }

    @Override
    public GuardRule guard(Map<String, String> properties) {
      return guard;
    }
  }

  /** The real database, but for its clock. */
  private final class SetClock implements SourceDatabase {
    private final SourceDatabase real;

    SetClock(SourceDatabase real) {
      this.real = real;
    }

    @Override
    public Instant now() {
      return isClockSet ? now : real.now();
    }

    @Override
    public Activity activity() {
      return real.activity();
    }

    @Override
    public String timeZone() {
      return real.timeZone();
    }

    @Override
    public List<SourceTable> tables(TableSelection selection) {
      return real.tables(selection);
    }

    @Override
    public Optional<SourceTable> table(TableId id) {
      return real.table(id);
    }

    @Override
    public List<TableId> tableNames() {
      return real.tableNames();
    }

    @Override
    public Optional<WatermarkColumn> watermarkColumn(SourceColumn column) {
      return real.watermarkColumn(column);
    }

    @Override
    public Optional<String> refusedRead(TableId id) {
      return real.refusedRead(id);
    }

    @Override
    public boolean hasIndexLeadingWith(TableId id, String column) {
      return real.hasIndexLeadingWith(id, column);
    }

    @Override
    public Optional<Long> largest(TableId id, WatermarkColumn column) {
      return real.largest(id, column);
    }

    @Override
    public List<String> sliceBounds(
        ReadRequest rows, String column, SliceMethod method, int slices) {
      return real.sliceBounds(rows, column, method, slices);
    }

    @Override
    public HeldSnapshot holdSnapshot() {
      return real.holdSnapshot();
    }

    @Override
    public long blocks(TableId id) {
      return real.blocks(id);
    }

    @Override
    public long rowsWithoutWatermark(TableId id, WatermarkColumn column) {
      return real.rowsWithoutWatermark(id, column);
    }

    @Override
    public long rowsAbove(TableId id, WatermarkColumn column, WatermarkValue bound) {
      return real.rowsAbove(id, column, bound);
    }

    @Override
    public RowCursor read(ReadRequest request) {
      reads.incrementAndGet();
      return real.read(request);
    }

    @Override
    public void cancel() {
      real.cancel();
    }

    @Override
    public void close() {
      real.close();
    }
  }
}
