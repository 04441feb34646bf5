package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.EventLog;
import io.lakexpress.lxdb.FileLedger;
import io.lakexpress.lxdb.GuardBook;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.RunBook;
import io.lakexpress.lxdb.SyncBook;
import io.lakexpress.lxdb.TableLocks;
import io.lakexpress.lxdb.WatermarkBook;

/** All books over one pool. */
final class JdbcLakexpressDb implements LakexpressDb {
  private final Database database;
  private final SyncBook syncs;
  private final RunBook runs;
  private final WatermarkBook watermarks;
  private final FileLedger ledger;
  private final EventLog log;
  private final GuardBook guard;
  private final TableLocks locks;

  JdbcLakexpressDb(Database database) {
    this.database = database;
    this.syncs = new JdbcSyncBook(database);
    this.runs = new JdbcRunBook(database);
    this.watermarks = new JdbcWatermarkBook(database);
    this.ledger = new JdbcFileLedger(database);
    this.log = new JdbcEventLog(database);
    this.guard = new JdbcGuardBook(database);
    this.locks = new JdbcTableLocks(database);
  }

  @Override
  public SyncBook syncs() {
    return syncs;
  }

  @Override
  public RunBook runs() {
    return runs;
  }

  @Override
  public WatermarkBook watermarks() {
    return watermarks;
  }

  @Override
  public FileLedger ledger() {
    return ledger;
  }

  @Override
  public EventLog log() {
    return log;
  }

  @Override
  public GuardBook guard() {
    return guard;
  }

  @Override
  public TableLocks locks() {
    return locks;
  }

  @Override
  public void close() {
    database.close();
  }

  @Override
  public String toString() {
    return "LakexpressDb " + database;
  }
}
