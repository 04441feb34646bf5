package io.lakexpress.connect.lake.storage;

import io.lakexpress.connect.lake.storage.AzureAccess.FromConnectionString;
import io.lakexpress.connect.lake.storage.AzureAccess.Login;
import io.lakexpress.connect.lake.storage.AzureAccess.Sas;
import io.lakexpress.connect.lake.storage.AzureAccess.SharedKey;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Reads connection strings as the Azure portal shows them. No message repeats one. */
public final class AzureConnectionString {
  private static final String DEVELOPMENT_ACCOUNT = "devstoreaccount1";

  /** Everybody's, for emulators alone. */
  private static final String DEVELOPMENT_KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private AzureConnectionString() {}

  /**
   * How the account is reached that the text names.
   *
   * @throws IllegalArgumentException saying what is expected
   */
  public static AzureAccess parse(Secret text) {
    Map<String, String> values = values(text.value());
    if ("true".equalsIgnoreCase(values.get("UseDevelopmentStorage"))) {
      return new AzureAccess(
          DEVELOPMENT_ACCOUNT,
          "http://127.0.0.1:10000/" + DEVELOPMENT_ACCOUNT,
          new FromConnectionString(new SharedKey(new Secret(DEVELOPMENT_KEY))));
    }
    String account = values.get("AccountName");
    String endpoint = values.get("BlobEndpoint");
    if (account == null && endpoint == null) {
      throw invalid("AccountName or BlobEndpoint");
    }
    if (account == null) {
      account = AzureUrl.accountOf(endpoint);
    }
    if (endpoint == null) {
      String suffix = values.getOrDefault("EndpointSuffix", "core.windows.net");
      String protocol = values.getOrDefault("DefaultEndpointsProtocol", "https");
      endpoint = protocol.toLowerCase(Locale.ROOT) + "://" + account + ".blob." + suffix;
    }
    return new AzureAccess(
        account, endpoint.replaceAll("/+$", ""), new FromConnectionString(login(values)));
  }

  private static Login login(Map<String, String> values) {
    if (values.containsKey("AccountKey")) {
      return new SharedKey(new Secret(values.get("AccountKey")));
    }
    if (values.containsKey("SharedAccessSignature")) {
      return new Sas(new Secret(values.get("SharedAccessSignature")));
    }
    throw invalid("AccountKey or SharedAccessSignature");
  }

  private static Map<String, String> values(String text) {
    Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String pair : text.split(";")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        values.put(pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
      } else if (!pair.isBlank()) {
        throw invalid("name=value, joined by ;");
      }
    }
    return values;
  }

  private static IllegalArgumentException invalid(String expected) {
    return new IllegalArgumentException("Invalid connection string: expected " + expected);
  }
}
