package io.lakexpress.cli;

import io.lakexpress.standalone.WrongSettingException;
import java.nio.file.Path;

/** Where the build put the connectors; the launcher knows, since it knows where it stands. */
final class PluginDirectory {
  private static final String PROPERTY = "lakexpress.plugin.directory";

  private PluginDirectory() {}

  static Path ofThisBuild() {
    String directory = System.getProperty(PROPERTY);
    if (directory == null) {
      throw new WrongSettingException(
          "Cannot find the connectors: start with ./LakeXpress, or give -D" + PROPERTY);
    }
    return Path.of(directory);
  }
}
