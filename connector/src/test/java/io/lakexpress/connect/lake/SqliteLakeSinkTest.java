package io.lakexpress.connect.lake;

import io.lakexpress.lxdb.jdbc.DatabaseTarget;
import java.nio.file.Path;

class SqliteLakeSinkTest extends LakeSinkContract {
  @Override
  DatabaseTarget lakexpressDb(Path own) {
    return database(own);
  }

  static DatabaseTarget database(Path own) {
    return new DatabaseTarget("jdbc:sqlite:" + own.resolve("lakexpress.db"), "", "");
  }
}
