package io.lakexpress.connect;

import java.util.Set;
import java.util.regex.Pattern;

/** What may stand in a JDBC URL that a user wrote. */
final class JdbcUrl {
  /** Names of driver properties that identify or open: they have keys of their own. */
  private static final String LOGIN =
      "(user|username|uid|userid|password|pwd|\\w*password|\\w*secret|\\w*token|\\w*passphrase)";

  private static final Pattern LOGIN_PARAMETER =
      Pattern.compile("[?&;]\\s*" + LOGIN + "\\s*=", Pattern.CASE_INSENSITIVE);
  private static final Pattern LOGIN_BEFORE_HOST = Pattern.compile("^jdbc:[^/]*//[^/?;]*@");
  private static final Set<String> LOGIN_PROPERTIES =
      Set.of("user", "username", "uid", "password", "pwd");

  private JdbcUrl() {}

  static boolean holdsLogin(String url) {
    return LOGIN_BEFORE_HOST.matcher(url).find() || LOGIN_PARAMETER.matcher(url).find();
  }

  /** Whether a driver property says what the keys for user and password say. */
  static boolean isLogin(String property) {
    return LOGIN_PROPERTIES.contains(property.toLowerCase(java.util.Locale.ROOT));
  }
}
