package io.lakexpress.lxdb.jdbc;

import static io.lakexpress.lxdb.jdbc.Refusals.cannot;

import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.FileState;
import io.lakexpress.lxdb.Job;
import io.lakexpress.watermark.TableId;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

final class JdbcFileLedger implements FileLedger {
  private final Database database;
  private final Writing writing;
  private final Landing landing;
  private final Progress progress;

  JdbcFileLedger(Database database) {
    this.database = database;
    this.writing = new Writing(database);
    this.landing = new Landing(database);
    this.progress = new Progress(database);
  }

  @Override
  public Position raiseEpoch(String syncId, TopicPartition topicPartition) {
    return writing.raiseEpoch(syncId, topicPartition);
  }

  @Override
  public Position restart(String syncId, Position current, long nextOffset) {
    return writing.restart(syncId, current, nextOffset);
  }

  @Override
  public List<Position> positions(String syncId) {
    return database.read(
        "list the lake positions of sync " + syncId,
        tx ->
            tx.list(
                "SELECT * FROM lake_positions WHERE sync_id = ? ORDER BY topic, topic_partition",
                FileRows::readPosition,
                syncId));
  }

  @Override
  public long register(String syncId, long writerEpoch, Registration registration) {
    return writing.register(syncId, writerEpoch, registration);
  }

  @Override
  public void enter(
      String syncId,
      Position writer,
      long nextOffset,
      Collection<Staged> files,
      Map<String, Long> refusedRows) {
    writing.enter(syncId, writer, nextOffset, files, refusedRows);
  }

  @Override
  public void discard(long fileId) {
    move(fileId, EnumSet.of(FileState.OPEN, FileState.STAGED), FileState.DISCARDED, Set.of());
  }

  @Override
  public void markPublished(long fileId) {
    // A finisher that is behind another may find its file replaced already.
    move(
        fileId,
        EnumSet.of(FileState.STAGED),
        FileState.PUBLISHED,
        EnumSet.of(FileState.SUPERSEDED, FileState.DELETED));
  }

  @Override
  public void markLost(long fileId) {
    move(fileId, EnumSet.of(FileState.STAGED, FileState.PUBLISHED), FileState.LOST, Set.of());
  }

  @Override
  public void markDeleted(long fileId) {
    move(fileId, EnumSet.of(FileState.SUPERSEDED), FileState.DELETED, Set.of());
  }

  /** Moves a file on; nothing happens if it is there or beyond, any other state is refused. */
  private void move(long fileId, Set<FileState> from, FileState to, Set<FileState> beyond) {
    String deed = "mark file " + fileId + " as " + to.text();
    database.perform(
        deed,
        tx -> {
          Instant now = tx.now();
          for (FileState state : from) {
            if (FileRows.move(tx, fileId, state, to, now)) {
              return;
            }
          }
          FileState present =
              FileRows.find(tx, fileId)
                  .orElseThrow(() -> cannot(deed, "the ledger does not know it"))
                  .state();
          if (present != to && !beyond.contains(present)) {
            throw cannot(deed, "it is " + present.text());
          }
        });
  }

  @Override
  public List<LedgerFile> staleOpenFiles(String syncId) {
    return files(
        "list the stale files of sync " + syncId,
        "JOIN lake_positions p ON p.sync_id = f.sync_id AND p.topic = f.topic"
            + " AND p.topic_partition = f.topic_partition"
            + " WHERE f.sync_id = ? AND f.state = 'open' AND f.writer_epoch < p.writer_epoch",
        syncId);
  }

  @Override
  public List<LedgerFile> orphanedFiles(String syncId) {
    return files(
        "list the orphaned files of sync " + syncId,
        "JOIN export_jobs j ON j.job_id = f.job_id"
            + " JOIN lake_positions p ON p.sync_id = f.sync_id AND p.topic = f.topic"
            + " AND p.topic_partition = f.topic_partition"
            + " WHERE f.sync_id = ? AND f.state IN ('open', 'staged', 'published') AND"
            + " (((j.replaced_by IS NOT NULL OR j.abandoned_at IS NOT NULL)"
            + " AND (f.state <> 'open' OR f.writer_epoch < p.writer_epoch))"
            + " OR (f.state = 'staged' AND j.landed_at IS NOT NULL))",
        syncId);
  }

  @Override
  public List<LedgerFile> filesOfJob(String jobId) {
    return files("list the files of job " + jobId, "WHERE f.job_id = ?", jobId);
  }

  @Override
  public List<LedgerFile> stagedWithoutJob(String syncId) {
    return files(
        "list the staged files of sync " + syncId,
        "WHERE f.sync_id = ? AND f.state = 'staged' AND f.job_id IS NULL",
        syncId);
  }

  @Override
  public List<LedgerFile> publishedFiles(String syncId, TableId table) {
    return files(
        "list the files of table " + table,
        "WHERE f.sync_id = ? AND f.source_schema = ? AND f.source_table = ?"
            + " AND f.state = 'published'",
        syncId,
        table.schema(),
        table.table());
  }

  @Override
  public List<LedgerFile> supersededFiles(String syncId, Duration retention) {
    String deed = "list the superseded files of sync " + syncId;
    Instant before = database.read(deed, Tx::now).minus(retention);
    return files(
        deed,
        "WHERE f.sync_id = ? AND f.state = 'superseded' AND f.updated_at <= ?",
        syncId,
        before);
  }

  @Override
  public Optional<LedgerFile> publishedFile(String syncId, String path) {
    return files(
            "find file " + path,
            "WHERE f.sync_id = ? AND f.path = ? AND f.state = 'published'",
            syncId,
            path)
        .stream()
        .findFirst();
  }

  private List<LedgerFile> files(String deed, String condition, Object... values) {
    return database.read(
        deed,
        tx -> tx.list(FileRows.SELECT + condition + " ORDER BY f.file_id", FileRows::read, values));
  }

  @Override
  public List<Waiting> waiting(String syncId) {
    return landing.waiting(syncId);
  }

  @Override
  public void noteAnnounced(String syncId, Collection<String> jobIds) {
    progress.noteAnnounced(syncId, jobIds);
  }

  @Override
  public void noteCaughtUp(String syncId, Collection<Position> writers) {
    progress.noteCaughtUp(syncId, writers);
  }

  @Override
  public Map<TopicPartition, Instant> caughtUp(String syncId) {
    return progress.caughtUp(syncId);
  }

  @Override
  public List<Job> deliveredAmong(Collection<String> jobIds) {
    return database.read(
        "look for delivered jobs",
        tx ->
            tx.listByIds(
                JobRows.SELECT
                    + "WHERE j.status IN ('delivered', 'landed', 'published')"
                    + " AND j.replaced_by IS NULL AND j.job_id IN ",
                JobRows::read,
                jobIds));
  }

  @Override
  public List<LedgerFile> land(Collection<String> jobIds) {
    return landing.land(jobIds);
  }

  @Override
  public void failLanding(String jobId, String reason) {
    landing.failLanding(jobId, reason);
  }

  @Override
  public boolean isOvertaken(Job job) {
    return landing.isOvertaken(job);
  }

  @Override
  public void recordColumns(String jobId, List<Column> columns) {
    database.perform(
        "record the columns of job " + jobId,
        tx -> {
          // Two writers of a job that add at once meet on the key, and the second looks again.
          List<Column> added = Column.added(columns(tx, jobId), columns);
          tx.batch(
              "INSERT INTO export_columns (job_id, ordinal, column_name, source_type,"
                  + " connect_type, parquet_type) VALUES (?, ?, ?, ?, ?, ?)",
              added.stream().map(column -> values(jobId, column)).toList());
        });
  }

  private static Object[] values(String jobId, Column column) {
    return new Object[] {
      jobId,
      column.ordinal(),
      column.name(),
      column.sourceType(),
      column.connectType(),
      column.parquetType()
    };
  }

  @Override
  public List<Column> columns(String jobId) {
    return database.read("read the columns of job " + jobId, tx -> columns(tx, jobId));
  }

  private static List<Column> columns(Tx tx, String jobId) throws SQLException {
    return tx.list(
        "SELECT * FROM export_columns WHERE job_id = ? ORDER BY ordinal",
        JdbcFileLedger::column,
        jobId);
  }

  private static Column column(Row row) throws SQLException {
    return new Column(
        row.text("column_name"),
        row.integer("ordinal"),
        row.text("source_type"),
        row.text("connect_type"),
        row.text("parquet_type"));
  }
}
