package io.lakexpress.connect.lake.storage;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Reads which container of which account a lake's URL means. No message repeats the URL. */
final class AzureUrl {
  private static final String SUFFIX = ".dfs.core.windows.net";
  private static final Pattern CONTAINER = Pattern.compile("[a-z0-9][a-z0-9-]{2,62}");
  private static final Pattern ACCOUNT = Pattern.compile("[a-z0-9]{3,24}");
  private static final Pattern HOST = Pattern.compile("[a-z0-9.-]+");

  private AzureUrl() {}

  /**
   * The place.
   *
   * @param authority {@code container@host}, {@code container@account}, or the container alone if
   *     {@code access} knows the account
   */
  static AzurePlace place(String authority, String prefix, AzureAccess access) {
    int at = authority.indexOf('@');
    String container = at < 0 ? authority : authority.substring(0, at);
    String host =
        at < 0 ? givenAccount(access) : authority.substring(at + 1).toLowerCase(Locale.ROOT);
    String account = host.contains(".") ? host.substring(0, host.indexOf('.')) : host;
    if (!CONTAINER.matcher(container).matches()
        || !ACCOUNT.matcher(account).matches()
        || !HOST.matcher(host).matches()) {
      throw expected();
    }
    if (access.givenAccount().filter(given -> !given.equals(account)).isPresent()) {
      throw new IllegalArgumentException(
          "Invalid lake URL: expected the account that azure.connection.string names");
    }
    String full = host.contains(".") ? host.replace(".blob.", ".dfs.") : host + SUFFIX;
    String endpoint = access.otherEndpoint().orElse("https://" + full.replace(".dfs.", ".blob."));
    return new AzurePlace(account, full, endpoint.replaceAll("/+$", ""), container, prefix);
  }

  private static String givenAccount(AzureAccess access) {
    return access
        .givenAccount()
        .or(() -> access.otherEndpoint().map(AzureUrl::accountOf))
        .orElseThrow(AzureUrl::expected);
  }

  /**
   * The account in an address: the first folder at an IP address or plain host, else the host's.
   */
  static String accountOf(String endpoint) {
    try {
      URI uri = new URI(endpoint);
      String host = uri.getHost();
      String path = uri.getPath() == null ? "" : uri.getPath().replaceAll("^/+|/+$", "");
      if (host != null) {
        return path.isEmpty() ? host.substring(0, (host + ".").indexOf('.')) : path;
      }
    } catch (URISyntaxException e) {
      // Refused below; what it holds may be a secret.
    }
    throw new IllegalArgumentException(
        "Invalid endpoint: expected https://account.blob.core.windows.net");
  }

  private static IllegalArgumentException expected() {
    return new IllegalArgumentException(
        "Invalid lake URL: expected container and account, as in"
            + " abfss://container@account.dfs.core.windows.net/dir");
  }
}
