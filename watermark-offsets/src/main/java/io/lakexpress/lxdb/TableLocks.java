package io.lakexpress.lxdb;

import io.lakexpress.watermark.TableId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Locks on incremental tables, held while a run works on them. Thread-safe. */
public interface TableLocks {
  /** A lock. */
  record Lock(String syncId, TableId table, String owner, String runId, Instant since) {}

  /** Takes or keeps the lock; the present holder if somebody else has it. */
  Lock lock(String syncId, TableId table, String owner, String runId);

  void unlock(String syncId, TableId table, String owner);

  List<Lock> locks(Optional<String> syncId);

  /** Releases locks older than {@code age}, of one table if one is named. Returns how many. */
  int release(Duration age, Optional<TableId> table);
}
