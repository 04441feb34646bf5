package io.lakexpress.stack;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The rows of a table as one line of text each, the same for the database, the topic and the lake.
 * A name that ends in {@code _at} is a time, one that ends in {@code _day} a date, all others are
 * compared as text.
 */
record RowLines(String table, List<String> columns) {
  private static final String NULL = "~";

  static RowLines of(String table, String... columns) {
    return new RowLines(table, List.of(columns));
  }

  /** An expression of PostgreSQL's. */
  String inDatabase() {
    return columns.stream()
        .map(
            column -> {
              if (column.endsWith("_at")) {
                return "(extract(epoch FROM " + column + ") * 1000000)::bigint";
              }
              return column.endsWith("_day") ? "(" + column + " - date '1970-01-01')" : column;
            })
        .map(value -> "coalesce((" + value + ")::text, '" + NULL + "')")
        .collect(Collectors.joining(" || '|' || "));
  }

  /** An expression of DuckDB's. */
  private String inLake() {
    return columns.stream()
        .map(
            column -> {
              if (column.endsWith("_at")) {
                return "epoch_us(" + column + ")";
              }
              return column.endsWith("_day")
                  ? "date_diff('day', DATE '1970-01-01', " + column + ")"
                  : column;
            })
        .map(value -> "coalesce(CAST(" + value + " AS VARCHAR), '" + NULL + "')")
        .collect(Collectors.joining(" || '|' || "));
  }

  private String of(JsonNode row) {
    return columns.stream()
        .map(row::path)
        .map(value -> value.isNull() || value.isMissingNode() ? NULL : value.asText())
        .collect(Collectors.joining("|"));
  }

  Bag database(TestingSync sync) {
    return database(sync, "true");
  }

  Bag database(TestingSync sync, String condition) {
    return Bag.of(
        sync.databaseLines(
            "SELECT " + inDatabase() + " FROM public." + table + " WHERE " + condition));
  }

  Bag topic(TestingSync sync) {
    return Bag.of(sync.topic(table).stream().map(row -> of(row.value())).toList());
  }

  /** The rows of the topic by the job they belong to. */
  Map<String, Bag> topicByJob(TestingSync sync) {
    Map<String, List<String>> lines =
        sync.topic(table).stream()
            .collect(
                Collectors.groupingBy(
                    TestingKafka.Row::job,
                    TreeMap::new,
                    Collectors.mapping(row -> of(row.value()), Collectors.toList())));
    return lines.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, job -> Bag.of(job.getValue())));
  }

  Bag lake(TestingSync sync) {
    return Bag.of(
        sync.visible(table).isEmpty()
            ? List.of()
            : sync.lakeLines(table, "SELECT " + inLake() + " FROM lake"));
  }
}
