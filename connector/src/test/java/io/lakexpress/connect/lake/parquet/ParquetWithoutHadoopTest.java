package io.lakexpress.connect.lake.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop is there to compile only; here a class loader without it proves that. */
final class ParquetWithoutHadoopTest {
  @TempDir Path folder;

  @Test
  void everyCodecAndEveryWayToEndAFileWorkWithoutAHadoopClass() throws Exception {
    try (URLClassLoader loader =
            new URLClassLoader(classPathWithoutHadoop(), ClassLoader.getPlatformClassLoader());
        ParquetReadBack readBack = new ParquetReadBack()) {
      assertThatThrownBy(() -> loader.loadClass("org.apache.hadoop.conf.Configuration"))
          .isInstanceOf(ClassNotFoundException.class);
      Object run =
          loader
              .loadClass(WritingWithoutHadoop.class.getName())
              .getConstructor(Path.class)
              .newInstance(folder);
      List<?> files = (List<?>) ((Callable<?>) run).call();
      assertThat(files).hasSize(ParquetCompression.values().length);
      for (Object file : files) {
        assertThat(
                readBack.rows(
                    (Path) file,
                    "SELECT count(*), count(name), sum(price)::VARCHAR, sum(list[1])::VARCHAR,"
                        + " count(*) FILTER (map['even']) FROM %s"))
            .containsExactly(List.of("20000", "13333", "20000.00", "199990000", "10000"));
      }
      assertThat(
              files.stream()
                  .map(
                      file ->
                          readBack
                              .column(
                                  (Path) file,
                                  "SELECT DISTINCT compression FROM parquet_metadata(%s)")
                              .get(0)))
          .containsExactly("ZSTD", "SNAPPY", "GZIP", "LZ4_RAW", "UNCOMPRESSED");
    }
  }

  private static URL[] classPathWithoutHadoop() throws MalformedURLException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      Path path = Path.of(entry);
      if (!path.getFileName().toString().startsWith("hadoop-")) {
        urls.add(path.toUri().toURL());
      }
    }
    return urls.toArray(URL[]::new);
  }
}
