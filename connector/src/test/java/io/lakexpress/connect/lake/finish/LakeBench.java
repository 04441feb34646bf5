package io.lakexpress.connect.lake.finish;

import io.lakexpress.connect.SchemaText;
import io.lakexpress.connect.lake.file.FakeClock;
import io.lakexpress.connect.lake.file.Faults;
import io.lakexpress.connect.lake.file.InMemoryLakexpressDb;
import io.lakexpress.connect.lake.file.Lake;
import io.lakexpress.connect.lake.file.LakeLayout;
import io.lakexpress.connect.lake.file.LakeRecord;
import io.lakexpress.connect.lake.file.LakeStorage;
import io.lakexpress.connect.lake.file.LakeWriter;
import io.lakexpress.connect.lake.file.LinesFormat;
import io.lakexpress.connect.lake.file.MemoryBudget;
import io.lakexpress.connect.lake.file.NullValues;
import io.lakexpress.connect.lake.file.RecordPosition;
import io.lakexpress.connect.lake.file.RefusedRows;
import io.lakexpress.connect.lake.file.RetryLaterException;
import io.lakexpress.connect.lake.file.RollPolicy;
import io.lakexpress.connect.lake.file.StorageException;
import io.lakexpress.connect.lake.file.WriterSettings;
import io.lakexpress.connect.lake.storage.LocalStorage;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.watermark.TableId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/** A lake in a folder with its tasks and finishers, and topics that can be read again. */
final class LakeBench {
  static final Schema ROW =
      SchemaBuilder.struct().name("row").field("id", Schema.INT64_SCHEMA).build();
  static final Schema RUN =
      SchemaBuilder.struct()
          .name("io.lakexpress.Run")
          .field("kind", Schema.STRING_SCHEMA)
          .field("job_id", Schema.STRING_SCHEMA)
          .field("row_schema", Schema.OPTIONAL_STRING_SCHEMA)
          .build();
  static final TopicPartition RUNS_TOPIC = new TopicPartition("shop.runs", 0);
  static final TableId ORDERS = new TableId("sales", "orders");
  static final TableId NATION = new TableId("sales", "nation");

  final FakeClock clock = new FakeClock();
  final Faults faults = new Faults();
  final InMemoryLakexpressDb db = new InMemoryLakexpressDb(clock, faults);
  LakeStorage storage;
  final List<LakeRecord> deadLetters = new ArrayList<>();
  final List<String> alarms = new ArrayList<>();
  RollPolicy roll = new RollPolicy(RollPolicy.UNLIMITED, 1 << 20, Duration.ofMinutes(10));
  NullValues nullValues = NullValues.IGNORE;
  boolean hasDeadLetterQueue = true;
  long memoryBytes = 1 << 20;
  Duration missingRows = Duration.ofMinutes(5);
  Duration retention = Duration.ZERO;

  private final Path base;
  private final Map<TopicPartition, List<LakeRecord>> topics = new LinkedHashMap<>();

  LakeBench(Path base) {
    this(base, new LocalStorage(base));
  }

  /**
   * A lake in another store.
   *
   * @param base where the test puts a copy of it before it looks
   */
  LakeBench(Path base, LakeStorage target) {
    this.base = base;
    this.storage = faults.around(LakeStorage.class, target);
  }

  /** What comes now runs in another process. */
  void restart(LakeStorage target) {
    faults.revive();
    storage = faults.around(LakeStorage.class, target);
  }

  static TopicPartition partition(TableId table, int number) {
    return new TopicPartition(table.toString(), number);
  }

  static StorageException storeIsDown() {
    return StorageException.passing("Cannot write: the store is down", null);
  }

  static StorageException storeRefuses() {
    return StorageException.lasting("Cannot publish: no right", null);
  }

  static LakexpressDbException databaseIsDown() {
    return new LakexpressDbException(
        "Cannot reach the LakeXpress DB", null, LakexpressDbException.Kind.PASSING);
  }

  /** Appends rows of a job to a topic partition. */
  void emit(TopicPartition topicPartition, String jobId, long... ids) {
    for (long id : ids) {
      append(topicPartition, jobId, ROW, new Struct(ROW).put("id", id));
    }
  }

  void append(TopicPartition topicPartition, String jobId, Schema schema, Object value) {
    List<LakeRecord> log = topics.computeIfAbsent(topicPartition, key -> new ArrayList<>());
    log.add(new LakeRecord(topicPartition, log.size(), jobId, schema, value, null));
  }

  /** Appends a record to the runs topic. */
  void tell(String kind, String jobId) {
    append(RUNS_TOPIC, null, RUN, new Struct(RUN).put("kind", kind).put("job_id", jobId));
  }

  /** Tells that an export ended without a row. */
  void tellOfNoRows(String jobId) {
    append(
        RUNS_TOPIC,
        null,
        RUN,
        new Struct(RUN)
            .put("kind", "closed")
            .put("job_id", jobId)
            .put("row_schema", SchemaText.of(ROW)));
  }

  /** Deletes a topic partition and creates it anew. */
  void recreate(TopicPartition topicPartition) {
    topics.put(topicPartition, new ArrayList<>());
  }

  /** Rows below the offset expire before anybody read them. */
  void expire(TopicPartition topicPartition, int offset) {
    topics.get(topicPartition).subList(0, offset).replaceAll(record -> null);
  }

  Task task(TopicPartition... partitions) {
    return new Task(Arrays.asList(partitions));
  }

  Finisher finisher(String connector, String instance) {
    return new Finisher(
        new FinisherSettings(
            InMemoryLakexpressDb.SYNC, connector, instance, missingRows, retention),
        db,
        storage,
        (message, cause) -> alarms.add(message),
        clock);
  }

  /** Polls, lets time pass and finishes, until everything has come to rest. */
  void settle(Task task, Finisher finisher) {
    for (int i = 0; i < 25; i++) {
      task.poll(3);
      clock.pass(Duration.ofSeconds(1));
      finisher.step();
    }
  }

  /** The ids in the visible files of a table, in order. */
  List<Long> rows(TableId table) {
    return files(table).stream().flatMap(LakeBench::lines).map(Long::valueOf).sorted().toList();
  }

  List<Path> files(TableId table) {
    Path folder = base.resolve(table.schema()).resolve(table.table());
    return filesBelow(folder).stream()
        .filter(file -> !file.getFileName().toString().startsWith("."))
        .sorted()
        .toList();
  }

  /** Everything staged or retired anywhere in the lake. */
  List<Path> hiddenFiles() {
    return filesBelow(base).stream()
        .filter(file -> file.getFileName().toString().startsWith("."))
        .toList();
  }

  private static List<Path> filesBelow(Path folder) {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> found = Files.walk(folder)) {
      return found.filter(Files::isRegularFile).toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** A sink task as Connect runs it: seeks between calls, hands a failed batch over again. */
  final class Task implements RecordPosition, RefusedRows {
    final LakeWriter writer;
    Duration wakeWithin = Duration.ZERO;
    private final Map<TopicPartition, Integer> positions = new LinkedHashMap<>();
    private final Map<TopicPartition, Integer> seeks = new HashMap<>();
    private List<LakeRecord> again = List.of();

    Task(List<TopicPartition> partitions) {
      writer =
          new LakeWriter(
              new Lake(
                  InMemoryLakexpressDb.SYNC,
                  "lake",
                  db,
                  storage,
                  new LinesFormat(),
                  LakeLayout.below("")),
              new WriterSettings(roll, nullValues, missingRows),
              MemoryBudget.separate(memoryBytes),
              this,
              this,
              clock);
      assign(partitions);
    }

    void assign(List<TopicPartition> partitions) {
      partitions.forEach(partition -> positions.put(partition, 0));
      writer.assign(partitions);
    }

    void revoke(TopicPartition partition) {
      positions.remove(partition);
      writer.revoke(List.of(partition));
    }

    /** One poll of at most so many records; a failure that passes is swallowed as Connect does. */
    Optional<RetryLaterException> poll(int records) {
      positions.putAll(seeks);
      seeks.clear();
      List<LakeRecord> batch = again.isEmpty() ? next(records) : again;
      try {
        writer.put(batch);
        again = List.of();
        return Optional.empty();
      } catch (RetryLaterException later) {
        again = batch;
        return Optional.of(later);
      }
    }

    private List<LakeRecord> next(int records) {
      List<LakeRecord> batch = new ArrayList<>();
      for (Map.Entry<TopicPartition, Integer> position : positions.entrySet()) {
        List<LakeRecord> log = topics.getOrDefault(position.getKey(), List.of());
        int from = position.getValue() > log.size() ? 0 : position.getValue();
        int to = Math.min(log.size(), from + records);
        log.subList(from, to).stream().filter(record -> record != null).forEach(batch::add);
        position.setValue(to);
      }
      return batch;
    }

    @Override
    public void seek(TopicPartition topicPartition, long offset) {
      seeks.put(topicPartition, (int) offset);
    }

    @Override
    public void wakeWithin(Duration time) {
      wakeWithin = time;
    }

    @Override
    public Optional<Future<?>> refuse(LakeRecord record, RuntimeException reason) {
      if (!hasDeadLetterQueue) {
        return Optional.empty();
      }
      deadLetters.add(record);
      return Optional.of(CompletableFuture.completedFuture(null));
    }
  }
}
