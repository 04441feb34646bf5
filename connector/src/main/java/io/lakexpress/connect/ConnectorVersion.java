package io.lakexpress.connect;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build, for Connect's list of plugins. */
public final class ConnectorVersion {
  private static final String TEXT = read();

  private ConnectorVersion() {}

  public static String text() {
    return TEXT;
  }

  private static String read() {
    try (InputStream resource =
        ConnectorVersion.class.getResourceAsStream("/lakexpress-connect.properties")) {
      Properties properties = new Properties();
      properties.load(resource);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the version of LakeXpress Connect", e);
    }
  }
}
