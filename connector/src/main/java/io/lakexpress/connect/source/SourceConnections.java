package io.lakexpress.connect.source;

import io.lakexpress.connect.DatabaseSettings;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.lxdb.LakexpressDb;

/** Opens what the connector talks to. Opening does not connect, the first call does. */
interface SourceConnections {
  /** The database to read, reached by {@code settings}, which may differ from the configured. */
  SourceDatabase source(SourceConfig config, DatabaseSettings settings);

  /** The LakeXpress DB; its tables are created by the first call that finds none. */
  LakexpressDb lakexpressDb(DatabaseSettings settings);
}
