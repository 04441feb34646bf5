package io.lakexpress.connect.source;

import io.lakexpress.connect.source.read.GuardRule;
import io.lakexpress.connect.source.read.ReaderSettings;
import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.lxdb.LakexpressDb;
import java.util.Map;

/** Makes the parts of a source task from its configuration. */
interface SourceWiring {
  /**
   * The settings of the reader.
   *
   * @throws org.apache.kafka.common.config.ConfigException naming every problem with its key
   */
  ReaderSettings settings(Map<String, String> properties);

  /**
   * Opens the LakeXpress DB.
   *
   * @throws io.lakexpress.lxdb.LakexpressDbException if it is down; the caller tries again
   */
  LakexpressDb lakexpressDb(Map<String, String> properties);

  /** Opens the source database, whose connection is made by its first use. */
  SourceDatabase sourceDatabase(Map<String, String> properties);

  /** How late commits are looked for. */
  GuardRule guard(Map<String, String> properties);
}
