package io.lakexpress.connect.source.read;

import io.lakexpress.watermark.TableId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The names of the topics that a sync writes to. */
public final class TopicNames {
  private static final int LONGEST = 249;
  private static final Pattern OTHER = Pattern.compile("[^A-Za-z0-9._-]");

  private final String prefix;
  private final String syncId;

  public TopicNames(String prefix, String syncId) {
    this.prefix = prefix;
    this.syncId = syncId;
  }

  /** The topic of a table's rows. */
  public String of(TableId table) {
    return prefix + OTHER.matcher(table.schema() + "." + table.table()).replaceAll("_");
  }

  /** The topic that tells of runs. */
  public String runs() {
    return prefix + syncId + ".runs";
  }

  /** Why a table cannot have its topic among others: empty if it can. */
  public Optional<String> refusal(TableId table, Collection<TableId> others) {
    String topic = of(table);
    if (topic.length() > LONGEST) {
      return Optional.of(
          "Invalid topic name "
              + topic
              + " of table "
              + table
              + ": it has "
              + topic.length()
              + " characters, expected at most "
              + LONGEST
              + "; shorten topic.prefix");
    }
    if (collide(topic, runs())) {
      return Optional.of(
          "Invalid topic name "
              + topic
              + " of table "
              + table
              + (topic.equals(runs())
                  ? ": it is the topic of the runs"
                  : ": Kafka does not tell it from the topic of the runs, " + runs()));
    }
    return others.stream()
        .filter(other -> !other.equals(table) && collide(of(other), topic))
        .findFirst()
        .map(
            other ->
                "Invalid topic name "
                    + topic
                    + ": tables "
                    + table
                    + " and "
                    + other
                    + (of(other).equals(topic)
                        ? " share it"
                        : " cannot have topics beside each other, since Kafka does not tell it"
                            + " from "
                            + of(other)));
  }

  /** Kafka refuses to create a topic whose name differs from another one only by '.' and '_'. */
  private static boolean collide(String one, String other) {
    return one.replace('.', '_').equals(other.replace('.', '_'));
  }

  /** All reasons why these tables cannot have their topics, in order of the tables. */
  public List<String> refusals(Collection<TableId> tables) {
    Map<String, String> byTopic = new TreeMap<>();
    for (TableId table : new TreeSet<>(tables)) {
      refusal(table, tables)
          .ifPresent(reason -> byTopic.putIfAbsent(of(table).replace('.', '_'), reason));
    }
    return List.copyOf(byTopic.values());
  }
}
