package io.lakexpress.connect.source.jdbc;

import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.WatermarkColumn;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which of PostgreSQL's types, as the catalogue writes them, can be a watermark. */
final class PostgresWatermarks {
  private static final int MICROSECONDS = 6;
  private static final Pattern TIMESTAMP =
      Pattern.compile("timestamp(?:\\(([0-6])\\))? (with|without) time zone");
  private static final Pattern INTEGER =
      Pattern.compile("smallint|integer|bigint|numeric\\([0-9]+,0\\)");

  private PostgresWatermarks() {}

  static Optional<WatermarkColumn> column(String name, String type) {
    Matcher timestamp = TIMESTAMP.matcher(type);
    if (timestamp.matches()) {
      int digits = timestamp.group(1) == null ? MICROSECONDS : Integer.parseInt(timestamp.group(1));
      ColumnKind kind =
          timestamp.group(2).equals("with") ? ColumnKind.INSTANT : ColumnKind.LOCAL_TIME;
      return Optional.of(new WatermarkColumn(name, kind, digits));
    }
    if (type.equals("date")) {
      return Optional.of(new WatermarkColumn(name, ColumnKind.DATE, 0));
    }
    if (INTEGER.matcher(type).matches()) {
      return Optional.of(new WatermarkColumn(name, ColumnKind.INTEGER, 0));
    }
    return Optional.empty();
  }
}
