package io.lakexpress.lxdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The LakeXpress DB inside of a class loader that the application's does not see, as Connect loads
 * plugins, and with a context class loader that knows nothing of it.
 */
final class IsolatedPluginTest {
  @Test
  void driversAndScriptsAreFoundByOurOwnClassLoader(@TempDir Path folder) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader plugin =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
      assertThat(syncsAfterSaving(plugin, TestingPostgres.newDatabase())).isEqualTo(1);
      assertThat(
              syncsAfterSaving(
                  plugin,
                  new DatabaseTarget("jdbc:sqlite:" + folder.resolve("lakexpress.db"), "", "")))
          .isEqualTo(1);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static int syncsAfterSaving(ClassLoader plugin, DatabaseTarget target)
      throws ReflectiveOperationException {
    Class<?> targetClass = plugin.loadClass(DatabaseTarget.class.getName());
    assertThat(targetClass).isNotEqualTo(DatabaseTarget.class);
    Object foreignTarget =
        targetClass
            .getConstructor(String.class, String.class, String.class)
            .newInstance(target.url(), target.user(), target.password());
    Class<?> dbClass = plugin.loadClass("io.lakexpress.lxdb.LakexpressDb");
    Class<?> booksClass = plugin.loadClass("io.lakexpress.lxdb.SyncBook");
    Object db =
        plugin
            .loadClass(LakexpressDatabases.class.getName())
            .getMethod("open", targetClass)
            .invoke(null, foreignTarget);
    try {
      Object syncs = dbClass.getMethod("syncs").invoke(db);
      Method save = booksClass.getMethod("save", String.class, String.class, String.class);
      save.invoke(syncs, "shop", "prod", "{}");
      return ((List<?>) booksClass.getMethod("list").invoke(syncs)).size();
    } finally {
      dbClass.getMethod("close").invoke(db);
    }
  }
}
