package io.lakexpress.connect;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.ConfigException;

/** The keys that source and sink share: the sync, the credentials file, the LakeXpress DB. */
public final class CommonConfig {
  public static final String SYNC_ID = "sync.id";
  public static final String ENV_NAME = "env.name";
  public static final String CREDENTIALS_FILE = "credentials.file";

  /** The LakeXpress DB's keys. */
  public static final DatabaseKeys LAKEXPRESS_DB =
      new DatabaseKeys(
          "LakeXpress DB",
          "lxdb.auth.id",
          "lxdb.url",
          "lxdb.user",
          "lxdb.password",
          "lxdb.jdbc.",
          List.of(DatabaseProduct.values()));

  private static final Pattern SYNC_ID_FORM = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private CommonConfig() {}

  /** Adds the shared keys to a connector's definition, in two groups that come first. */
  public static ConfigDef define(ConfigDef definition) {
    defineSync(definition);
    defineLakexpressDb(definition);
    return definition;
  }

  private static void defineSync(ConfigDef definition) {
    String group = "Sync";
    definition
        .define(
            SYNC_ID,
            ConfigDef.Type.STRING,
            ConfigDef.NO_DEFAULT_VALUE,
            ConfigDef.LambdaValidator.with(
                CommonConfig::checkSyncId, () -> "1 to 64 of letters, digits, _ and -"),
            Importance.HIGH,
            "Name of the sync. Source connector, lake sink and command line that mean the same sync"
                + " use the same name; runs, watermarks and files are kept under it.",
            group,
            1,
            Width.MEDIUM,
            "Sync")
        .define(
            ENV_NAME,
            ConfigDef.Type.STRING,
            "",
            Importance.LOW,
            "Free label of the environment, kept with the sync.",
            group,
            2,
            Width.MEDIUM,
            "Environment")
        .define(
            CREDENTIALS_FILE,
            ConfigDef.Type.STRING,
            "",
            Importance.MEDIUM,
            "Path of the LakeXpress credentials file that the *.auth.id keys refer to. It must be"
                + " readable on every worker under this path.",
            group,
            3,
            Width.LONG,
            "Credentials file");
  }

  private static void defineLakexpressDb(ConfigDef definition) {
    String group = "LakeXpress DB";
    definition
        .define(
            LAKEXPRESS_DB.authId(),
            ConfigDef.Type.STRING,
            "",
            Importance.HIGH,
            "Entry of the credentials file for the LakeXpress DB (postgres, mssql or sqlite)."
                + " Either this or lxdb.url is required.",
            group,
            1,
            Width.MEDIUM,
            "Credential")
        .define(
            LAKEXPRESS_DB.url(),
            ConfigDef.Type.STRING,
            "",
            Importance.HIGH,
            "JDBC URL of the LakeXpress DB: PostgreSQL, SQL Server, or SQLite where all workers run"
                + " on one machine. User and password do not belong in it. Its tables are created"
                + " on first use. Keys that begin with lxdb.jdbc. are passed on to the JDBC driver"
                + " without the prefix, for example lxdb.jdbc.sslmode.",
            group,
            2,
            Width.LONG,
            "JDBC URL")
        .define(
            LAKEXPRESS_DB.user(),
            ConfigDef.Type.STRING,
            "",
            Importance.HIGH,
            "User of the LakeXpress DB.",
            group,
            3,
            Width.MEDIUM,
            "User")
        .define(
            LAKEXPRESS_DB.password(),
            ConfigDef.Type.PASSWORD,
            "",
            Importance.HIGH,
            "Password of the LakeXpress DB.",
            group,
            4,
            Width.MEDIUM,
            "Password");
  }

  private static void checkSyncId(String key, Object value) {
    if (value == null || !SYNC_ID_FORM.matcher((String) value).matches()) {
      throw new ConfigException(
          "Invalid " + key + " '" + value + "': expected 1 to 64 of letters, digits, _ and -");
    }
  }

  /** The sync's name; empty if it is missing or invalid. */
  public static String syncId(ConfigReader config) {
    return config.word(SYNC_ID);
  }

  /** The credentials file, if one is named and can be read; a problem is noted on its key. */
  public static Optional<Credentials> credentials(ConfigReader config) {
    Optional<String> file = config.text(CREDENTIALS_FILE);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Credentials.read(Path.of(file.get())));
    } catch (CredentialsException e) {
      config.refuse(CREDENTIALS_FILE, e.getMessage());
    } catch (InvalidPathException e) {
      config.refuse(CREDENTIALS_FILE, "Invalid path: expected the path of a file");
    }
    return Optional.empty();
  }

  /** How to reach the LakeXpress DB; empty if something is wrong, which is noted on its key. */
  public static Optional<DatabaseSettings> lakexpressDb(
      ConfigReader config, Optional<Credentials> credentials) {
    return LAKEXPRESS_DB.read(config, credentials, null);
  }
}
