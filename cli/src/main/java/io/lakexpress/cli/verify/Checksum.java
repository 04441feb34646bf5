package io.lakexpress.cli.verify;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.zip.CRC32C;

/**
 * The number of rows and a checksum over every value of every column, the same whatever the order
 * of the rows and whichever database they are read from.
 *
 * @param sum sum of the rows' checksums, modulo 2^64
 */
public record Checksum(long rows, long sum) {
  private static final String NULL = "\u0000null";

  /** Reads the result to its end. */
  static Checksum of(ResultSet result) throws SQLException {
    ResultSetMetaData columns = result.getMetaData();
    long rows = 0;
    long sum = 0;
    while (result.next()) {
      rows++;
      sum += ofRow(result, columns);
    }
    return new Checksum(rows, sum);
  }

  private static long ofRow(ResultSet result, ResultSetMetaData columns) throws SQLException {
    long checksum = 1;
    for (int column = 1; column <= columns.getColumnCount(); column++) {
      CRC32C crc = new CRC32C();
      crc.update(
          text(result, column, columns.getColumnType(column)).getBytes(StandardCharsets.UTF_8));
      // A prime factor per position, so that values that change places change the sum.
      checksum = checksum * 1_000_003 + crc.getValue();
    }
    return checksum;
  }

  private static String text(ResultSet result, int column, int type) throws SQLException {
    Object value =
        switch (type) {
          case Types.DATE -> result.getObject(column, LocalDate.class);
          case Types.TIMESTAMP -> result.getObject(column, LocalDateTime.class);
          case Types.TIMESTAMP_WITH_TIMEZONE -> result.getObject(column, OffsetDateTime.class);
          case Types.NUMERIC, Types.DECIMAL -> result.getBigDecimal(column);
          default -> result.getString(column);
        };
    if (value == null) {
      return NULL;
    }
    return value instanceof BigDecimal number ? number.toPlainString() : value.toString();
  }

  @Override
  public String toString() {
    return rows + " rows, checksum " + String.format("%016x", sum);
  }
}
