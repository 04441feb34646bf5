package io.lakexpress.connect.lake;

import io.lakexpress.connect.ConfigReader;
import io.lakexpress.connect.Credential;
import io.lakexpress.connect.lake.storage.AzureAccess;
import io.lakexpress.connect.lake.storage.AzureAccess.Login;
import io.lakexpress.connect.lake.storage.AzureAccess.ManagedIdentity;
import io.lakexpress.connect.lake.storage.AzureAccess.Sas;
import io.lakexpress.connect.lake.storage.AzureAccess.ServicePrincipal;
import io.lakexpress.connect.lake.storage.AzureAccess.SharedKey;
import io.lakexpress.connect.lake.storage.AzureConnectionString;
import io.lakexpress.connect.lake.storage.Secret;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.types.Password;

/** The keys that say how an Azure account is reached, and their reading. */
final class AzureKeys {
  static final String AUTH_MODE = "azure.auth.mode";
  static final String TENANT_ID = "azure.tenant.id";
  static final String CLIENT_ID = "azure.client.id";
  static final String CLIENT_SECRET = "azure.client.secret";
  static final String ACCOUNT_KEY = "azure.account.key";
  static final String SAS_TOKEN = "azure.sas.token";
  static final String CONNECTION_STRING = "azure.connection.string";
  static final String ENDPOINT = "azure.endpoint";

  private static final String SERVICE_PRINCIPAL = "service-principal";
  private static final String MANAGED_IDENTITY = "managed-identity";
  private static final String SHARED_KEY = "shared-key";
  private static final String SAS = "sas";
  private static final String BY_CONNECTION_STRING = "connection-string";

  /** Which keys each way needs, the most telling one first. */
  private static final Map<String, List<String>> NEEDED = needed();

  private AzureKeys() {}

  private static Map<String, List<String>> needed() {
    Map<String, List<String>> needed = new LinkedHashMap<>();
    needed.put(BY_CONNECTION_STRING, List.of(CONNECTION_STRING));
    needed.put(SHARED_KEY, List.of(ACCOUNT_KEY));
    needed.put(SAS, List.of(SAS_TOKEN));
    needed.put(SERVICE_PRINCIPAL, List.of(CLIENT_SECRET, TENANT_ID, CLIENT_ID));
    needed.put(MANAGED_IDENTITY, List.of());
    return needed;
  }

  static void define(ConfigDef definition) {
    define(
        definition,
        AUTH_MODE,
        ConfigDef.Type.STRING,
        1,
        "Auth mode",
        "How the account is logged in to: service-principal, managed-identity, shared-key, sas or"
            + " connection-string. Left out: as the keys below say, without any of them"
            + " managed-identity.");
    define(
        definition,
        TENANT_ID,
        ConfigDef.Type.STRING,
        2,
        "Tenant id",
        "Directory of the service principal.");
    define(
        definition,
        CLIENT_ID,
        ConfigDef.Type.STRING,
        3,
        "Client id",
        "Application of the service principal, or a user-assigned managed identity.");
    define(
        definition,
        CLIENT_SECRET,
        ConfigDef.Type.PASSWORD,
        4,
        "Client secret",
        "Secret of the service principal.");
    define(
        definition,
        ACCOUNT_KEY,
        ConfigDef.Type.PASSWORD,
        5,
        "Account key",
        "Shared key of the account.");
    define(
        definition,
        SAS_TOKEN,
        ConfigDef.Type.PASSWORD,
        6,
        "SAS token",
        "Shared access signature for the container or the account, with the permissions racwd.");
    define(
        definition,
        CONNECTION_STRING,
        ConfigDef.Type.PASSWORD,
        7,
        "Connection string",
        "As the portal shows it, with AccountKey or SharedAccessSignature.");
    define(
        definition,
        ENDPOINT,
        ConfigDef.Type.STRING,
        8,
        "Endpoint",
        "Address of the account's Blob service, for example of a private endpoint or an emulator."
            + " Left out: as lake.url or the connection string says.");
  }

  private static void define(
      ConfigDef definition, String key, ConfigDef.Type type, int order, String title, String text) {
    ConfigDef.Validator words =
        key.equals(AUTH_MODE)
            ? ValidString.in(
                "", SERVICE_PRINCIPAL, MANAGED_IDENTITY, SHARED_KEY, SAS, BY_CONNECTION_STRING)
            : null;
    definition.define(
        key, type, "", words, Importance.MEDIUM, text, "Azure", order, Width.MEDIUM, title);
  }

  /**
   * How to reach Azure: the sink's own keys, or else the credential's.
   *
   * @param credential null without one
   */
  static AzureAccess read(ConfigReader config, Credential.Azure credential) {
    String endpoint =
        config
            .text(ENDPOINT)
            .filter(address -> StorageKeys.isAddress(config, ENDPOINT, address))
            .orElse(null);
    boolean isOwn = config.text(AUTH_MODE).isPresent() || isAnySet(config);
    AzureAccess access = (isOwn || credential == null) ? own(config) : stored(config, credential);
    return endpoint == null ? access : new AzureAccess(access.account(), endpoint, access.login());
  }

  private static boolean isAnySet(ConfigReader config) {
    return NEEDED.values().stream().flatMap(List::stream).anyMatch(key -> isThere(config, key));
  }

  private static boolean isThere(ConfigReader config, String key) {
    boolean isText = key.equals(TENANT_ID) || key.equals(CLIENT_ID);
    return isText ? config.text(key).isPresent() : config.secret(key).isPresent();
  }

  private static AzureAccess own(ConfigReader config) {
    String mode = mode(config);
    List<String> needed = NEEDED.get(mode);
    for (String key : needed) {
      if (!isThere(config, key)) {
        config.refuse(key, "Missing: expected it for " + AUTH_MODE + " " + mode);
        return AzureAccess.byManagedIdentity();
      }
    }
    return switch (mode) {
      case BY_CONNECTION_STRING ->
          parsed(config, CONNECTION_STRING, config.secret(CONNECTION_STRING).orElseThrow());
      case SHARED_KEY -> by(sharedKey(config));
      case SAS -> by(sas(config));
      case SERVICE_PRINCIPAL ->
          by(
              new ServicePrincipal(
                  config.word(TENANT_ID),
                  config.word(CLIENT_ID),
                  hidden(config.secret(CLIENT_SECRET).orElseThrow())));
      default -> by(new ManagedIdentity(config.text(CLIENT_ID).orElse(null)));
    };
  }

  /** The way that is named or that the keys tell; keys of other ways are refused. */
  private static String mode(ConfigReader config) {
    Optional<String> named = config.isValid(AUTH_MODE) ? config.text(AUTH_MODE) : Optional.empty();
    String mode = named.orElseGet(() -> told(config));
    for (Map.Entry<String, List<String>> other : NEEDED.entrySet()) {
      for (String key : other.getValue()) {
        boolean isUseful =
            NEEDED.get(mode).contains(key)
                || (mode.equals(MANAGED_IDENTITY) && key.equals(CLIENT_ID));
        if (!isUseful && isThere(config, key)) {
          config.refuse(
              key,
              "Contradicts "
                  + named
                      .map(word -> AUTH_MODE + " " + word)
                      .orElseGet(() -> NEEDED.get(mode).get(0))
                  + ": expected one way to log in");
        }
      }
    }
    return mode;
  }

  private static String told(ConfigReader config) {
    for (Map.Entry<String, List<String>> way : NEEDED.entrySet()) {
      if (!way.getValue().isEmpty() && isThere(config, way.getValue().get(0))) {
        return way.getKey();
      }
    }
    return isThere(config, TENANT_ID) ? SERVICE_PRINCIPAL : MANAGED_IDENTITY;
  }

  private static AzureAccess stored(ConfigReader config, Credential.Azure credential) {
    if (credential.connectionString() != null) {
      return parsed(config, SinkKeys.STORAGE_ID, credential.connectionString());
    }
    return by(
        new ServicePrincipal(
            credential.tenantId(), credential.clientId(), hidden(credential.clientSecret())));
  }

  private static Secret hidden(Password password) {
    return new Secret(password.value());
  }

  private static AzureAccess by(Login login) {
    return new AzureAccess(null, null, login);
  }

  private static AzureAccess parsed(ConfigReader config, String key, Password text) {
    try {
      return AzureConnectionString.parse(hidden(text));
    } catch (IllegalArgumentException invalid) {
      config.refuseAndHide(key, invalid.getMessage());
      return AzureAccess.byManagedIdentity();
    }
  }

  private static Login sharedKey(ConfigReader config) {
    Password key = config.secret(ACCOUNT_KEY).orElseThrow();
    try {
      Base64.getDecoder().decode(key.value());
    } catch (IllegalArgumentException e) {
      config.refuseAndHide(ACCOUNT_KEY, "Invalid key: expected Base64, as the portal shows it");
    }
    return new SharedKey(hidden(key));
  }

  private static Login sas(ConfigReader config) {
    Password token = config.secret(SAS_TOKEN).orElseThrow();
    if (!token.value().matches("\\??\\S*\\bsig=\\S+") || token.value().contains("://")) {
      config.refuseAndHide(
          SAS_TOKEN, "Invalid token: expected the query of a signed URL alone, with sig=");
    }
    return new Sas(hidden(token));
  }
}
