package io.lakexpress.connect;

import java.util.List;
import java.util.stream.Collectors;

/** The database products that credentials and JDBC URLs can name. */
public enum DatabaseProduct {
  POSTGRESQL("postgres", "jdbc:postgresql:", "jdbc:postgresql://db.example.com:5432/shop"),
  SQL_SERVER("mssql", "jdbc:sqlserver:", "jdbc:sqlserver://db.example.com:1433;databaseName=shop"),
  SQLITE("sqlite", "jdbc:sqlite:", "jdbc:sqlite:/var/lib/lakexpress/lakexpress.db");

  private final String type;
  private final String urlPrefix;
  private final String exampleUrl;

  DatabaseProduct(String type, String urlPrefix, String exampleUrl) {
    this.type = type;
    this.urlPrefix = urlPrefix;
    this.exampleUrl = exampleUrl;
  }

  /** The word under {@code ds_type} in a credentials file. */
  public String type() {
    return type;
  }

  public String urlPrefix() {
    return urlPrefix;
  }

  public String exampleUrl() {
    return exampleUrl;
  }

  static String words(List<DatabaseProduct> products) {
    return products.stream().map(DatabaseProduct::type).collect(Collectors.joining(" or "));
  }
}
