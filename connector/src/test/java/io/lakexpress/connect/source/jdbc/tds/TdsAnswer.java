package io.lakexpress.connect.source.jdbc.tds;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** What the server answers to a statement. */
public sealed interface TdsAnswer {
  /**
   * Values in the order of the columns; made one at a time, as the client takes them.
   *
   * @param end what breaks the statement off after the last row, or null
   */
  record Rows(List<TdsColumn> columns, Iterable<List<Object>> rows, TdsAnswer end)
      implements TdsAnswer {
    /** The same rows, after which the statement fails, is delayed or cut off. */
    public TdsAnswer brokenBy(TdsAnswer failure) {
      return new Rows(columns, rows, failure);
    }
  }

  /** A number of changed rows. */
  record Updated(long rows) implements TdsAnswer {}

  /** Nothing to tell. */
  record Done() implements TdsAnswer {}

  /** An error message; the connection stays unless the severity is 20 or more. */
  record Failed(int number, int state, int severity, String message) implements TdsAnswer {}

  /** A message that is no error. */
  record Told(int number, String message) implements TdsAnswer {}

  /** The connection is cut off. */
  record Dropped() implements TdsAnswer {}

  /** Nothing for a while; a cancellation ends it. */
  record Delayed(Duration time) implements TdsAnswer {}

  /** One after the other, as the statements of a batch. */
  record Sequence(List<TdsAnswer> answers) implements TdsAnswer {}

  static RowsBuilder columns(TdsColumn... columns) {
    return new RowsBuilder(List.of(columns));
  }

  static TdsAnswer updated(long rows) {
    return new Updated(rows);
  }

  static TdsAnswer done() {
    return new Done();
  }

  /** An error of severity 16. */
  static TdsAnswer failed(int number, String message) {
    return new Failed(number, 1, 16, message);
  }

  static TdsAnswer failed(int number, int state, int severity, String message) {
    return new Failed(number, state, severity, message);
  }

  static TdsAnswer told(int number, String message) {
    return new Told(number, message);
  }

  static TdsAnswer dropped() {
    return new Dropped();
  }

  static TdsAnswer sequence(TdsAnswer... answers) {
    return new Sequence(List.of(answers));
  }

  /** This answer after a while. */
  default TdsAnswer after(Duration time) {
    return sequence(new Delayed(time), this);
  }

  /** This answer, and then another one. */
  default TdsAnswer then(TdsAnswer next) {
    return sequence(this, next);
  }

  /** Rows in the making. */
  final class RowsBuilder {
    private final List<TdsColumn> columns;
    private final List<List<Object>> rows = new ArrayList<>();

    private RowsBuilder(List<TdsColumn> columns) {
      this.columns = columns;
    }

    /** Values may be null. */
    public RowsBuilder row(Object... values) {
      rows.add(checked(Arrays.asList(values)));
      return this;
    }

    public Rows rows() {
      return new Rows(columns, List.copyOf(rows), null);
    }

    /** A row made for each number from 0 on, when the client takes it. */
    public Rows generated(int count, IntFunction<List<Object>> row) {
      return new Rows(
          columns,
          () -> IntStream.range(0, count).mapToObj(i -> checked(row.apply(i))).iterator(),
          null);
    }

    private List<Object> checked(List<Object> values) {
      if (values.size() != columns.size()) {
        throw new IllegalArgumentException(
            "Invalid row of " + values.size() + " values: expected " + columns.size());
      }
      return values;
    }
  }
}
