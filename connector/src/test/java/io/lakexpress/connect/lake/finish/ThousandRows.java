package io.lakexpress.connect.lake.finish;

import io.lakexpress.connect.lake.file.FakeClock;
import io.lakexpress.connect.lake.file.Faults;
import io.lakexpress.connect.lake.file.InMemoryLakexpressDb;
import io.lakexpress.connect.lake.file.Lake;
import io.lakexpress.connect.lake.file.LakeLayout;
import io.lakexpress.connect.lake.file.LakeRecord;
import io.lakexpress.connect.lake.file.LakeWriter;
import io.lakexpress.connect.lake.file.MemoryBudget;
import io.lakexpress.connect.lake.file.NullValues;
import io.lakexpress.connect.lake.file.RecordPosition;
import io.lakexpress.connect.lake.file.RollPolicy;
import io.lakexpress.connect.lake.file.WriterFigures;
import io.lakexpress.connect.lake.file.WriterSettings;
import io.lakexpress.connect.lake.parquet.ParquetCompression;
import io.lakexpress.connect.lake.parquet.ParquetRowFormat;
import io.lakexpress.connect.lake.storage.LocalStorage;
import io.lakexpress.lxdb.FileLedger.TopicPartition;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/** A process that writes a thousand rows, small or large ones, of one topic or of many. */
final class ThousandRows {
  private static final int ROWS = 1_000;
  private static final Schema ROW =
      SchemaBuilder.struct()
          .field("id", Schema.INT64_SCHEMA)
          .field("text", Schema.STRING_SCHEMA)
          .build();

  private ThousandRows() {}

  /**
   * Folder, number of topics, size of the rows, and the memory budget (0: as by default); prints
   * open files and early rolls.
   */
  public static void main(String[] arguments) {
    int topicCount = Integer.parseInt(arguments[1]);
    int rowBytes = Integer.parseInt(arguments[2]);
    long budget = Long.parseLong(arguments[3]);
    FakeClock clock = new FakeClock();
    InMemoryLakexpressDb db = new InMemoryLakexpressDb(clock, new Faults());
    LocalStorage storage = new LocalStorage(Path.of(arguments[0]));
    LakeWriter writer =
        new LakeWriter(
            new Lake(
                InMemoryLakexpressDb.SYNC,
                "lake",
                db,
                storage,
                new ParquetRowFormat(ParquetCompression.ZSTD, 64 << 20, "test"),
                LakeLayout.below("")),
            new WriterSettings(
                new RollPolicy(RollPolicy.UNLIMITED, 512 << 20, Duration.ofMinutes(10)),
                NullValues.IGNORE,
                Duration.ofMinutes(5)),
            MemoryBudget.separate(budget < 1 ? Runtime.getRuntime().maxMemory() / 4 : budget),
            new Unsought(),
            (record, reason) -> Optional.empty(),
            clock);
    List<TopicPartition> topics =
        IntStream.range(0, topicCount).mapToObj(i -> new TopicPartition("web.t" + i, 0)).toList();
    writer.assign(topics);
    writer.put(List.of());
    Random random = new Random(1);
    for (int i = 0; i < ROWS; i += 10) {
      List<LakeRecord> batch = new ArrayList<>();
      for (int id = i; id < i + 10; id++) {
        Struct row = new Struct(ROW).put("id", (long) id).put("text", text(random, rowBytes));
        TopicPartition topic = topics.get(id % topicCount);
        batch.add(new LakeRecord(topic, id / topicCount, null, ROW, row, null));
      }
      writer.put(batch);
    }
    WriterFigures full = writer.figures();
    clock.pass(Duration.ofMinutes(10));
    writer.put(List.of());
    Finisher finisher =
        new Finisher(
            new FinisherSettings(
                InMemoryLakexpressDb.SYNC, "lake", "one", Duration.ofMinutes(5), Duration.ZERO),
            db,
            storage,
            (message, cause) -> {},
            clock);
    finisher.step();
    System.out.println("open " + full.openFiles() + ", early " + full.earlyRolls());
    writer.close();
  }

  /** Text that does not compress to nothing. */
  private static String text(Random random, int bytes) {
    byte[] letters = new byte[bytes];
    random.nextBytes(letters);
    for (int i = 0; i < bytes; i++) {
      letters[i] = (byte) ('0' + (letters[i] & 0x3F));
    }
    return new String(letters, StandardCharsets.US_ASCII);
  }

  /** The topics are read from their beginning; nobody seeks. */
  private static final class Unsought implements RecordPosition {
    @Override
    public void seek(TopicPartition topicPartition, long offset) {
      throw new IllegalStateException("sought " + topicPartition);
    }

    @Override
    public void wakeWithin(Duration time) {}
  }
}
