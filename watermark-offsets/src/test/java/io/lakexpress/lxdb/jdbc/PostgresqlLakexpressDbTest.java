package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.RunBookContract;
import io.lakexpress.lxdb.SyncBookContract;
import org.junit.jupiter.api.Nested;

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
}
