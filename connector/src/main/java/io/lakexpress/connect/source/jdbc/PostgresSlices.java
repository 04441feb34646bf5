package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.read.ReadRequest;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.SliceMethod;
import io.lakexpress.watermark.SliceRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Writes what makes a statement read one slice. Every row fulfils the condition of exactly one
 * slice as long as it keeps its key, whenever the statements of the slices run.
 */
final class PostgresSlices {
  private static final Set<String> WHOLE_NUMBERS = Set.of("int2", "int4", "int8");
  private static final Set<String> TIMES = Set.of("timestamp", "timestamptz");

  /** Names of columns as they stand in the statement. */
  private final Function<String, String> sql;

  private final Function<String, PostgresType> types;

  PostgresSlices(Function<String, String> sql, Function<String, PostgresType> types) {
    this.sql = sql;
    this.types = types;
  }

  /** A condition with what to bind in it. */
  record Condition(String sql, List<Object> parameters) {}

  List<Condition> conditions(ReadRequest.Share share) {
    SliceRule rule = share.rule();
    if (rule instanceof SliceRule.Hash hash) {
      return List.of(new Condition(hash(hash.key(), share.slice()), List.of()));
    }
    if (rule instanceof SliceRule.Range range) {
      return range(range);
    }
    return blocks((SliceRule.Blocks) rule);
  }

  /** The database's own hashes, so that equal keys fall together and steps in numbers do not. */
  private String hash(List<String> key, Slice slice) {
    boolean isNumber =
        key.size() == 1
            && types.apply(key.get(0)).isBuiltIn()
            && WHOLE_NUMBERS.contains(types.apply(key.get(0)).name());
    String hash =
        isNumber
            ? "COALESCE(hashint8(" + sql.apply(key.get(0)) + "::int8), 0)"
            : "hashtext(ROW("
                + key.stream().map(sql).collect(Collectors.joining(", "))
                + ")::text COLLATE \"C\")";
    return "(" + hash + " & 2147483647) % " + slice.count() + " = " + (slice.index() - 1);
  }

  private List<Condition> range(SliceRule.Range range) {
    String column = sql.apply(range.column());
    String type = types.apply(range.column()).declared();
    List<Condition> conditions = new ArrayList<>();
    if (range.from() == null && range.to() != null && !types.apply(range.column()).notNull()) {
      // The key was dropped while its window is open, and NULLs may have come.
      String first = "(" + column + " IS NULL OR " + column + " < ?::" + type + ")";
      return List.of(bound(first, range.to()));
    }
    range.lower().ifPresent(from -> conditions.add(bound(column + " >= ?::" + type, from)));
    range.upper().ifPresent(to -> conditions.add(bound(column + " < ?::" + type, to)));
    return conditions;
  }

  private static Condition bound(String sql, String value) {
    return new Condition(sql, List.of(new RowQuery.Untyped(value)));
  }

  private static List<Condition> blocks(SliceRule.Blocks blocks) {
    List<Condition> conditions = new ArrayList<>();
    conditions.add(new Condition("ctid >= '(" + blocks.from() + ",0)'::tid", List.of()));
    if (blocks.to() >= 0) {
      conditions.add(new Condition("ctid < '(" + blocks.to() + ",0)'::tid", List.of()));
    }
    return conditions;
  }

  /**
   * A query for the values that cut rows into slices, in order.
   *
   * @param from what stands behind FROM, with its condition
   */
  String bounds(String column, SliceMethod method, int count, String from) {
    return method == SliceMethod.NTILE
        ? "SELECT bound::text FROM (SELECT percentile_disc(ARRAY["
            + fractions(count)
            + "]::float8[]) WITHIN GROUP (ORDER BY "
            + sql.apply(column)
            + ") AS bounds"
            + from
            + ") cut, unnest(cut.bounds) WITH ORDINALITY AS one(bound, number)"
            + " WHERE bound IS NOT NULL ORDER BY number"
        : "SELECT ("
            + between(types.apply(column), count)
            + ")::text FROM (SELECT min("
            + sql.apply(column)
            + ") AS low, max("
            + sql.apply(column)
            + ") AS high"
            + from
            + ") ends, generate_series(1, "
            + (count - 1)
            + ") AS number WHERE low IS NOT NULL ORDER BY number";
  }

  private static String fractions(int count) {
    List<String> fractions = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      fractions.add(Double.toString((double) i / count));
    }
    return String.join(", ", fractions);
  }

  /** A type without distances makes the database refuse the query. */
  private static String between(PostgresType type, int count) {
    String share = "number / " + count;
    if (WHOLE_NUMBERS.contains(type.name())) {
      return "trunc(low::numeric + (high::numeric - low::numeric) * " + share + ".0)::int8";
    }
    if (type.name().equals("date")) {
      return "low + ((high - low)::int8 * " + share + ")::int";
    }
    return TIMES.contains(type.name())
        ? "low + (high - low) * (number::float8 / " + count + ")"
        : "low + (high - low) * " + share + ".0";
  }
}
