package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.FileLedger.Column;
import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.lxdb.FileLedger.Registration;
import io.lakexpress.lxdb.LakexpressDbException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins and gives up files: registered in the ledger before the store sees a byte, so that whoever
 * comes after a crash finds every part. Owned by one thread.
 */
final class FileOpener {
  private static final Logger LOG = LoggerFactory.getLogger(FileOpener.class);
  private static final int MOST_KNOWN = 10_000;
  private static final Duration WITHOUT_LEDGER = Duration.ofMinutes(1);

  private final Lake lake;
  private final FileLedger ledger;
  private final MemoryBudget.Share memory;
  private final Clock clock;
  private final Set<JobColumns> recorded = new HashSet<>();
  private Instant asksLedgerFrom = Instant.MIN;

  FileOpener(Lake lake, MemoryBudget.Share memory, Clock clock) {
    this.lake = lake;
    this.ledger = lake.book().ledger();
    this.memory = memory;
    this.clock = clock;
  }

  /**
   * Begins a file.
   *
   * @throws UnwritableRowException if no file can hold rows of this schema; nothing was registered
   */
  OpenFile open(Position writer, FileTarget target, Schema schema, long firstOffset) {
    lake.format().open(schema, new Nowhere()).discard();
    recordColumns(target, schema);
    LakePath path = target.path(lake.layout(), writer, firstOffset);
    StagingHandle handle = lake.storage().begin(path, writer.writerEpoch());
    long fileId = register(writer, target, path, handle, firstOffset);
    StagedFile output = lake.storage().open(path, handle);
    try {
      return new OpenFile(
          new OpenFile.Registered(fileId, target, path, handle),
          output,
          lake.format().open(schema, output),
          schema,
          memory,
          clock);
    } catch (RuntimeException failure) {
      output.discard();
      throw failure;
    }
  }

  /** Gives up an open file; never fails, a later sweep finishes what cannot be done now. */
  void discard(OpenFile file) {
    file.discard();
    // The store may have staged it and only its answer was lost.
    discardStaged(file, file.handle());
  }

  /** Gives up a file that may be staged and is certainly not in the ledger. */
  void discardStaged(OpenFile file, StagingHandle handle) {
    try {
      lake.storage().discard(file.path(), handle);
      forget(file.fileId());
    } catch (StorageException failure) {
      LOG.debug("Staged file {} is left to a later sweep", file.path(), failure);
    }
  }

  /** Removes what earlier writers of these topic partitions left behind. */
  void sweep(Set<FileLedger.TopicPartition> topicPartitions) {
    List<LedgerFile> stale = ledger.staleOpenFiles(lake.syncId());
    for (LedgerFile file : stale) {
      if (topicPartitions.contains(file.topicPartition())) {
        try {
          lake.storage().discard(new LakePath(file.path()), new StagingHandle(file.handle()));
          ledger.discard(file.fileId());
        } catch (StorageException failure) {
          LOG.warn("Cannot sweep {} now: {}", file.path(), failure.getMessage());
        }
      }
    }
  }

  private long register(
      Position writer, FileTarget target, LakePath path, StagingHandle handle, long firstOffset) {
    try {
      return ledger.register(
          lake.syncId(),
          writer.writerEpoch(),
          new Registration(
              path.value(),
              target.jobId(),
              target.table(),
              handle.text(),
              writer.topicPartition(),
              firstOffset));
    } catch (RuntimeException failure) {
      try {
        lake.storage().discard(path, handle);
      } catch (StorageException leftover) {
        failure.addSuppressed(leftover);
      }
      throw failure;
    }
  }

  /** A database that is down would make every file of a revocation wait for long: one waits. */
  private void forget(long fileId) {
    if (clock.instant().isBefore(asksLedgerFrom)) {
      return;
    }
    try {
      ledger.discard(fileId);
    } catch (LakexpressDbException down) {
      asksLedgerFrom = clock.instant().plus(WITHOUT_LEDGER);
      LOG.debug("File {} stays registered until a later sweep", fileId, down);
    }
  }

  private void recordColumns(FileTarget target, Schema schema) {
    String jobId = target.jobId();
    if (jobId == null) {
      return;
    }
    List<String> types = lake.format().columnTypes(schema);
    List<Column> columns = new ArrayList<>();
    for (Field field : schema.fields()) {
      columns.add(
          new Column(
              field.name(),
              field.index() + 1,
              sourceType(field),
              connectType(field.schema()),
              types.get(field.index())));
    }
    JobColumns entry = new JobColumns(jobId, columns);
    if (recorded.contains(entry)) {
      return;
    }
    ledger.recordColumns(jobId, columns);
    if (recorded.size() >= MOST_KNOWN) {
      recorded.clear();
    }
    recorded.add(entry);
  }

  /** What was put on record: a job has more than one such list when its table changed within. */
  private record JobColumns(String jobId, List<Column> columns) {}

  private static String sourceType(Field field) {
    Map<String, String> parameters = field.schema().parameters();
    return parameters == null ? "" : parameters.getOrDefault("__debezium.source.column.type", "");
  }

  private static String connectType(Schema schema) {
    return schema.name() == null ? schema.type().toString() : schema.type() + " " + schema.name();
  }

  /** Takes what a format writes at the beginning of a file, to see whether it accepts a schema. */
  private static final class Nowhere implements FileOutput {
    private long position;

    @Override
    public void write(byte[] bytes, int offset, int length) {
      position += length;
    }

    @Override
    public long position() {
      return position;
    }
  }
}
