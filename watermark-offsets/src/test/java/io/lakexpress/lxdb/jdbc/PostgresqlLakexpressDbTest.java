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

/** All contracts of the LakeXpress DB on PostgreSQL. */
final class PostgresqlLakexpressDbTest {
  private static LakexpressDb open() {
    return LakexpressDatabases.open(TestingPostgres.newDatabase());
  }

  @Nested
  final class Syncs extends SyncBookContract {
    Syncs() {
      super(PostgresqlLakexpressDbTest::open);
    }
  }

  @Nested
  final class Runs extends RunBookContract {
    Runs() {
      super(PostgresqlLakexpressDbTest::open);
    }
  }

  @Nested
  final class Abandonments extends AbandonmentContract {
    Abandonments() {
      super(PostgresqlLakexpressDbTest::open);
    }
  }

  @Nested
  final class Watermarks extends WatermarkBookContract {
    Watermarks() {
      super(PostgresqlLakexpressDbTest::open);
    }
  }

  @Nested
  final class Ledger extends LedgerContract {
    Ledger() {
      super(PostgresqlLakexpressDbTest::open);
    }
  }

  @Nested
  final class Landings extends LandingContract {
    Landings() {
      super(PostgresqlLakexpressDbTest::open);
    }
  }

  @Nested
  final class Guard extends GuardBookContract {
    Guard() {
      super(PostgresqlLakexpressDbTest::open);
    }
  }

  @Nested
  final class LogAndLocks extends LogAndLocksContract {
    LogAndLocks() {
      super(PostgresqlLakexpressDbTest::open);
    }
  }

  @Nested
  final class Concurrency extends ConcurrencyContract {
    Concurrency() {
      super(PostgresqlLakexpressDbTest::open);
    }
  }
}
