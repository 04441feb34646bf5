package io.lakexpress.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version the build wrote down. */
final class ProductVersion implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    Properties properties = new Properties();
    try (InputStream stream = ProductVersion.class.getResourceAsStream("version.properties")) {
      properties.load(stream);
    }
    return new String[] {"LakeXpress Connect " + properties.getProperty("version")};
  }
}
