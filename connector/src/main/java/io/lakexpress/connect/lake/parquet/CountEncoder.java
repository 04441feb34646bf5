package io.lakexpress.connect.lake.parquet;

import org.apache.parquet.column.ColumnWriter;

/**
 * Days and instants as counts since 1970. The smallest count stands for minus infinity in our
 * records; readers know minus infinity as the negated largest count, and DuckDB fails on the
 * smallest, so it is written one higher. No database holds a value that near.
 */
enum CountEncoder implements ValueEncoder {
  DAYS {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      column.write(Math.max((Integer) value, -Integer.MAX_VALUE), repetition, definition);
      return Integer.BYTES;
    }
  },
  INSTANTS {
    @Override
    public int write(ColumnWriter column, Object value, int repetition, int definition) {
      column.write(symmetric((Long) value), repetition, definition);
      return Long.BYTES;
    }
  };

  static long symmetric(long count) {
    return Math.max(count, -Long.MAX_VALUE);
  }
}
