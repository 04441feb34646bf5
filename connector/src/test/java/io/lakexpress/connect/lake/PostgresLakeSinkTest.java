package io.lakexpress.connect.lake;

import io.lakexpress.connect.TestingPostgres;
import io.lakexpress.lxdb.jdbc.DatabaseTarget;
import java.nio.file.Path;

class PostgresLakeSinkTest extends LakeSinkContract {
  @Override
  DatabaseTarget lakexpressDb(Path own) {
    TestingPostgres postgres = TestingPostgres.createDatabase();
    return new DatabaseTarget(postgres.url(), postgres.user(), "");
  }
}
