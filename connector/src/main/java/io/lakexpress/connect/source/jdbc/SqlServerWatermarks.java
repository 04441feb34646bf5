package io.lakexpress.connect.source.jdbc;

import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.WatermarkColumn;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which of SQL Server's types, as {@link SqlServerType#declared} writes them, can be a watermark.
 */
final class SqlServerWatermarks {
  /** A {@code datetime} keeps thirds of a hundredth of a second: only each third is exact. */
  private static final Duration DATETIME_STEP = Duration.ofMillis(10);

  private static final Duration SMALLDATETIME_STEP = Duration.ofMinutes(1);
  private static final Pattern FRACTION =
      Pattern.compile("(datetime2|datetimeoffset)\\(([0-7])\\)");
  private static final Pattern INTEGER =
      Pattern.compile("tinyint|smallint|int|bigint|(?:decimal|numeric)\\([0-9]+,0\\)");

  private SqlServerWatermarks() {}

  static Optional<WatermarkColumn> column(String name, String type) {
    Matcher fraction = FRACTION.matcher(type);
    if (fraction.matches()) {
      ColumnKind kind =
          fraction.group(1).equals("datetime2") ? ColumnKind.LOCAL_TIME : ColumnKind.INSTANT;
      return Optional.of(new WatermarkColumn(name, kind, Integer.parseInt(fraction.group(2))));
    }
    if (INTEGER.matcher(type).matches()) {
      return Optional.of(new WatermarkColumn(name, ColumnKind.INTEGER, 0));
    }
    return Optional.ofNullable(
        switch (type) {
          case "date" -> new WatermarkColumn(name, ColumnKind.DATE, 0);
          case "datetime" -> new WatermarkColumn(name, ColumnKind.LOCAL_TIME, 3, DATETIME_STEP);
          case "smalldatetime" ->
              new WatermarkColumn(name, ColumnKind.LOCAL_TIME, 0, SMALLDATETIME_STEP);
          case "rowversion" -> new WatermarkColumn(name, ColumnKind.ROWVERSION, 0);
          default -> null;
        });
  }
}
