package io.lakexpress.connect;

import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.types.Password;

/**
 * The keys that say how to reach one database: either an id in the credentials file, or a JDBC URL
 * with user and password.
 *
 * @param thing what the database is called in messages
 * @param properties prefix of the keys passed on to the JDBC driver
 * @param products the products it may be, by the {@code jdbc:} prefix of their URLs
 */
public record DatabaseKeys(
    String thing,
    String authId,
    String url,
    String user,
    String password,
    String properties,
    java.util.List<DatabaseProduct> products) {
  public DatabaseKeys {
    products = java.util.List.copyOf(products);
  }

  /**
   * Reads the keys, noting every problem on its own key.
   *
   * @param database the name of a database that replaces the one of the credential, or null
   * @return empty if something is wrong
   */
  public Optional<DatabaseSettings> read(
      ConfigReader config, Optional<Credentials> credentials, String database) {
    Optional<String> id = config.text(authId);
    Optional<String> address = config.text(url);
    Map<String, String> driver = driverProperties(config);
    if (id.isPresent() && address.isPresent()) {
      config.refuse(authId, "Contradicts " + url + ": expected one of the two");
      checkUrl(config, address.get());
      return Optional.empty();
    }
    if (id.isPresent()) {
      return byCredential(config, credentials, id.get(), database, driver);
    }
    if (address.isEmpty()) {
      config.refuse(
          url,
          "Cannot reach the "
              + thing
              + ": expected "
              + url
              + " with "
              + user
              + " and "
              + password
              + ", or "
              + authId
              + " with "
              + CommonConfig.CREDENTIALS_FILE);
      return Optional.empty();
    }
    if (!checkUrl(config, address.get())) {
      return Optional.empty();
    }
    return Optional.of(
        new DatabaseSettings(
            address.get(),
            config.word(user),
            config.secret(password).map(Password::value).orElse(""),
            driver));
  }

  /** Shows url, user and password only where no credential is named. */
  public ConfigForm show(ConfigForm form) {
    return form.showWithout(authId, url, user, password);
  }

  /** The key to blame when the database cannot be reached or used. */
  public String connectionKey(ConfigReader config) {
    return config.text(authId).isPresent() ? authId : url;
  }

  private Map<String, String> driverProperties(ConfigReader config) {
    Map<String, String> driver = config.withPrefix(properties);
    driver.keySet().stream()
        .filter(JdbcUrl::isLogin)
        .forEach(
            name ->
                config.refuse(
                    user,
                    "Invalid " + properties + name + ": expected " + user + " and " + password));
    return driver;
  }

  private Optional<DatabaseSettings> byCredential(
      ConfigReader config,
      Optional<Credentials> credentials,
      String id,
      String database,
      Map<String, String> driver) {
    for (String key : new String[] {user, password}) {
      if (config.isSet(key)) {
        config.refuse(key, "Contradicts " + authId + ": expected only with " + url);
      }
    }
    if (credentials.isEmpty()) {
      if (config.text(CommonConfig.CREDENTIALS_FILE).isEmpty()) {
        config.refuse(
            CommonConfig.CREDENTIALS_FILE, "Missing: expected the file that holds " + authId);
      }
      return Optional.empty();
    }
    try {
      Credential credential = credentials.get().credential(id);
      if (credential instanceof Credential.Database login && products.contains(login.product())) {
        return Optional.of(login.settings(database, driver));
      }
      config.refuse(
          authId,
          "Invalid credential '"
              + id
              + "' of type "
              + credential.type()
              + ": expected "
              + DatabaseProduct.words(products));
    } catch (CredentialsException e) {
      config.refuse(authId, e.getMessage());
    }
    return Optional.empty();
  }

  private boolean checkUrl(ConfigReader config, String address) {
    if (JdbcUrl.holdsLogin(address)) {
      config.refuseAndHide(
          url,
          "Invalid JDBC URL: expected no user or password in it, but in "
              + user
              + " and "
              + password);
      return false;
    }
    if (products.stream().noneMatch(product -> address.startsWith(product.urlPrefix()))) {
      config.refuse(url, "Invalid JDBC URL: expected for example " + products.get(0).exampleUrl());
      return false;
    }
    return config.isValid(url);
  }
}
