package io.lakexpress.standalone;

import io.trino.tpch.LineItem;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Fills the schema {@value #SCHEMA} with TPC-H data: all eight tables with their keys, the dates
 * moved by a constant number of days so that the last one orders are dated or shipped on is three
 * days before today (UTC).
 *
 * <p>The generator's text takes 300 MB of heap, so the JVM needs {@code -Xmx512m} at least.
 */
public final class TpchLoader {
  public static final String SCHEMA = "tpch_1_incremental";
  public static final double DEFAULT_SCALE = 0.01;

  private static final int DAYS_BEFORE_TODAY = 3;
  private static final int COPY_BUFFER = 1 << 16;
  private static final int SHIP_DATE = 10;

  /** Where the dates stand in a line of a table that has some. */
  private static final Map<String, int[]> DATE_FIELDS =
      Map.of("orders", new int[] {4}, "lineitem", new int[] {SHIP_DATE, 11, 12});

  private final Connection connection;
  private final Clock clock;

  public TpchLoader(Connection connection, Clock clock) {
    this.connection = connection;
    this.clock = clock;
  }

  /** How many rows {@link #insertOrders} has written. */
  public record NewOrders(long orders, long lineItems) {}

  /** Whether the data is there, whole. */
  public boolean isLoaded() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery("SELECT to_regclass('" + SCHEMA + ".lineitem') IS NOT NULL")) {
      result.next();
      return result.getBoolean(1);
    }
  }

  /** Creates and fills all tables in one transaction: they appear whole or not at all. */
  public void load(double scale) throws SQLException {
    inTransaction(
        () -> {
          execute(resource("tpch-schema.sql"));
          long shift = daysToShift(scale);
          for (TpchTable<?> table : TpchTable.getTables()) {
            copy(table, scale, shift);
          }
          execute(resource("tpch-indexes.sql"));
          return null;
        });
  }

  /**
   * Adds orders of one to seven items each, all ordered and shipped on the given date, with keys
   * above all there are.
   */
  public NewOrders insertOrders(int count, LocalDate date) throws SQLException {
    return inTransaction(
        () -> {
          execute("SET LOCAL search_path = " + SCHEMA);
          try (PreparedStatement insert =
              connection.prepareStatement(resource("tpch-new-orders.sql"))) {
            insert.setObject(1, date);
            insert.setInt(2, count);
            try (ResultSet result = insert.executeQuery()) {
              result.next();
              return new NewOrders(result.getLong(1), result.getLong(2));
            }
          }
        });
  }

  /** No order is dated after its items are shipped, so the last shipment is the last date. */
  private long daysToShift(double scale) {
    LineItem last = null;
    for (LineItem item : TpchTable.LINE_ITEM.createGenerator(scale, 1, 1)) {
      if (last == null || item.getShipDate() > last.getShipDate()) {
        last = item;
      }
    }
    if (last == null) {
      throw new WrongSettingException(
          "Invalid TPC-H scale " + scale + ": expected at least one order");
    }
    LocalDate lastDate = LocalDate.parse(fields(last)[SHIP_DATE]);
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    return today.minusDays(DAYS_BEFORE_TODAY).toEpochDay() - lastDate.toEpochDay();
  }

  private <E extends TpchEntity> void copy(TpchTable<E> table, double scale, long shift)
      throws SQLException {
    int[] dateFields = DATE_FIELDS.getOrDefault(table.getTableName(), new int[0]);
    CopyIn copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn("COPY " + SCHEMA + "." + table.getTableName() + " FROM STDIN (DELIMITER '|')");
    StringBuilder buffer = new StringBuilder(COPY_BUFFER + 1024);
    for (E row : table.createGenerator(scale, 1, 1)) {
      String[] fields = fields(row);
      for (int field : dateFields) {
        fields[field] = LocalDate.parse(fields[field]).plusDays(shift).toString();
      }
      buffer.append(String.join("|", fields)).append('\n');
      if (buffer.length() >= COPY_BUFFER) {
        flush(buffer, copy);
      }
    }
    flush(buffer, copy);
    copy.endCopy();
  }

  private static void flush(StringBuilder buffer, CopyIn copy) throws SQLException {
    byte[] bytes = buffer.toString().getBytes(StandardCharsets.UTF_8);
    copy.writeToCopy(bytes, 0, bytes.length);
    buffer.setLength(0);
  }

  /** The generator ends its lines with a delimiter, which PostgreSQL would take for a column. */
  private static String[] fields(TpchEntity row) {
    return row.toLine().split("\\|");
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private interface Work<T> {
    T run() throws SQLException;
  }

  private <T> T inTransaction(Work<T> work) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try {
      T result = work.run();
      connection.commit();
      return result;
    } catch (SQLException | RuntimeException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(autoCommit);
    }
  }

  private static String resource(String name) {
    try (InputStream stream = TpchLoader.class.getResourceAsStream(name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
