package io.lakexpress.lxdb;

/**
 * The LakeXpress DB: syncs, runs, watermarks and the lake's files. Safe for use by several threads;
 * every method of its parts may throw {@link LakexpressDbException}.
 */
public interface LakexpressDb extends AutoCloseable {
  SyncBook syncs();

  RunBook runs();

  WatermarkBook watermarks();

  FileLedger ledger();

  EventLog log();

  /** What the guard against late commits saw. */
  GuardBook guard();

  /** Table locks as LakeXpress keeps them, for the commands that list and release them. */
  TableLocks locks();

  @Override
  void close();
}
