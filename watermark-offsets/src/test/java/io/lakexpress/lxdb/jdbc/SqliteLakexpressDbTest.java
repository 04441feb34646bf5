package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.AbandonmentContract;
import io.lakexpress.lxdb.ConcurrencyContract;
import io.lakexpress.lxdb.GuardBookContract;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LandingContract;
import io.lakexpress.lxdb.LedgerContract;
import io.lakexpress.lxdb.LogAndLocksContract;
import io.lakexpress.lxdb.RunBookContract;
import io.lakexpress.lxdb.SyncBookContract;
import io.lakexpress.lxdb.WatermarkBookContract;
import org.junit.jupiter.api.Nested;

/** All contracts of the LakeXpress DB on SQLite. */
final class SqliteLakexpressDbTest {
  private static LakexpressDb open() {
    return LakexpressDatabases.open(TestingSqlite.newDatabase());
  }

  @Nested
  final class Syncs extends SyncBookContract {
    Syncs() {
      super(SqliteLakexpressDbTest::open);
    }
  }

  @Nested
  final class Runs extends RunBookContract {
    Runs() {
      super(SqliteLakexpressDbTest::open);
    }
  }

  @Nested
  final class Abandonments extends AbandonmentContract {
    Abandonments() {
      super(SqliteLakexpressDbTest::open);
    }
  }

  @Nested
  final class Watermarks extends WatermarkBookContract {
    Watermarks() {
      super(SqliteLakexpressDbTest::open);
    }
  }

  @Nested
  final class Ledger extends LedgerContract {
    Ledger() {
      super(SqliteLakexpressDbTest::open);
    }
  }

  @Nested
  final class Landings extends LandingContract {
    Landings() {
      super(SqliteLakexpressDbTest::open);
    }
  }

  @Nested
  final class Guard extends GuardBookContract {
    Guard() {
      super(SqliteLakexpressDbTest::open);
    }
  }

  @Nested
  final class LogAndLocks extends LogAndLocksContract {
    LogAndLocks() {
      super(SqliteLakexpressDbTest::open);
    }
  }

  @Nested
  final class Concurrency extends ConcurrencyContract {
    Concurrency() {
      super(SqliteLakexpressDbTest::open);
    }
  }
}
