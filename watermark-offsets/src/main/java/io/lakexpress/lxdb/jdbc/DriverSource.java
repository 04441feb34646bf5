package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.LakexpressDbException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Connections straight from a driver that our own class loader finds: {@code DriverManager} does
 * not see the drivers of an isolated plugin.
 */
final class DriverSource implements DataSource {
  private final Driver driver;
  private final String url;
  private final Properties properties;

  DriverSource(Flavour flavour, DatabaseTarget target) {
    this.driver = driver(flavour.driver());
    this.url = target.url();
    this.properties = new Properties();
    properties.putAll(flavour.properties());
    properties.putAll(target.properties());
    if (!target.user().isEmpty()) {
      properties.setProperty("user", target.user());
    }
    if (!target.password().isEmpty()) {
      properties.setProperty("password", target.password());
    }
  }

  private static Driver driver(String className) {
    try {
      return Class.forName(className, true, DriverSource.class.getClassLoader())
          .asSubclass(Driver.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LakexpressDbException(
          "Cannot load the driver of the LakeXpress DB: " + className + " is not on the class path",
          e,
          LakexpressDbException.Kind.LASTING);
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = driver.connect(url, (Properties) properties.clone());
    if (connection == null) {
      throw new SQLException("The driver does not take this URL", "08001");
    }
    return connection;
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("One user only");
  }

  @Override
  public PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    throw new SQLFeatureNotSupportedException("No log writer");
  }

  @Override
  public void setLoginTimeout(int seconds) {
    // The driver properties say it.
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("No java.util.logging");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (isWrapperFor(type)) {
      return type.cast(this);
    }
    throw new SQLException("Cannot unwrap to " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }
}
