package io.lakexpress.connect.lake.finish;

import io.lakexpress.lxdb.FileLedger.LedgerFile;
import io.lakexpress.lxdb.FileLedger.Position;
import io.lakexpress.watermark.TableId;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which topics carry the rows of a table. The files of the job know it; without any, it is every
 * topic whose name ends with {@code schema.table} as the source would write it (other characters
 * than letters, digits, dot, underscore and hyphen are underscores), whatever stands before. That
 * may take in topics of other tables too, which only makes a verdict wait longer.
 */
final class TableTopics {
  private static final Pattern OTHER = Pattern.compile("[^A-Za-z0-9._-]");

  private TableTopics() {}

  static Set<Position> positions(TableId table, List<LedgerFile> files, List<Position> known) {
    Set<String> topics =
        files.stream().map(file -> file.topicPartition().topic()).collect(Collectors.toSet());
    String name = OTHER.matcher(table.schema() + "." + table.table()).replaceAll("_");
    return known.stream()
        .filter(
            position -> {
              String topic = position.topicPartition().topic();
              return topics.isEmpty() ? topic.endsWith(name) : topics.contains(topic);
            })
        .collect(Collectors.toSet());
  }
}
