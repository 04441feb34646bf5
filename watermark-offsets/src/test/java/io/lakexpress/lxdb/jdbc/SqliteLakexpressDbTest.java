package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.RunBookContract;
import io.lakexpress.lxdb.SyncBookContract;
import org.junit.jupiter.api.Nested;

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
}
