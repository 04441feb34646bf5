package io.lakexpress.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TpchLoaderIT {
  /** In Tokyo it is the 2nd of March by then. */
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-03-01T20:00:00Z"), ZoneId.of("Asia/Tokyo"));

  @TempDir static Path directory;
  private static EmbeddedDatabase database;
  private static Connection connection;
  private static TpchLoader loader;

  @BeforeAll
  static void load() throws Exception {
    database =
        EmbeddedDatabase.start(
            directory.resolve("postgres"), ListenPorts.free(), Map.of("fsync", "off"));
    connection = database.connect(EmbeddedDatabase.SOURCE_DATABASE);
    loader = new TpchLoader(connection, CLOCK);
    assertThat(loader.isLoaded()).isFalse();
    loader.load(TpchLoader.DEFAULT_SCALE);
  }

  @AfterAll
  static void stop() throws Exception {
    connection.close();
    database.close();
  }

  @Test
  void theLastDateIsThreeDaysBeforeTodayInUtc() throws Exception {
    assertThat(
            query(
                """
                SELECT greatest(max(o_orderdate), max(l_shipdate))
                FROM orders JOIN lineitem ON o_orderkey = l_orderkey
                WHERE o_orderkey <= 60000
                """))
        .isEqualTo("2026-02-26");
  }

  @Test
  void allEightTablesAreFilledAndKeyed() throws Exception {
    assertThat(loader.isLoaded()).isTrue();
    assertThat(
            query(
                """
                SELECT concat_ws(' ',
                  (SELECT count(*) FROM region), (SELECT count(*) FROM nation),
                  (SELECT count(*) FROM part), (SELECT count(*) FROM supplier),
                  (SELECT count(*) FROM partsupp), (SELECT count(*) FROM customer),
                  (SELECT count(*) FROM orders WHERE o_orderkey <= 60000),
                  (SELECT count(*) FROM lineitem WHERE l_orderkey <= 60000))
                """))
        .isEqualTo("5 25 2000 100 8000 1500 15000 60175");
    assertThat(
            query(
                "SELECT count(*) FROM pg_index JOIN pg_class ON pg_class.oid = indrelid"
                    + " WHERE indisprimary AND relnamespace = 'tpch_1_incremental'::regnamespace"))
        .isEqualTo("8");
  }

  @Test
  void newOrdersComeWithOneToSevenItemsOfTheGivenDateAboveAllKeys() throws Exception {
    long lastKey = Long.parseLong(query("SELECT max(o_orderkey) FROM orders"));

    TpchLoader.NewOrders inserted = loader.insertOrders(200, LocalDate.of(2026, 2, 28));

    assertThat(inserted.orders()).isEqualTo(200);
    assertThat(
            query(
                "SELECT count(*) FROM orders WHERE o_orderdate = '2026-02-28' AND o_orderkey > "
                    + lastKey))
        .isEqualTo("200");
    assertThat(
            query(
                "SELECT count(*) FROM lineitem WHERE l_shipdate = '2026-02-28' AND l_orderkey > "
                    + lastKey))
        .isEqualTo(Long.toString(inserted.lineItems()));
    assertThat(
            query(
                "SELECT min(n) || ' to ' || max(n) FROM (SELECT count(*) AS n FROM lineitem"
                    + " WHERE l_orderkey > "
                    + lastKey
                    + " GROUP BY l_orderkey) AS orders"))
        .isEqualTo("1 to 7");
    assertThat(
            query(
                "SELECT count(*) FROM lineitem JOIN partsupp"
                    + " ON l_partkey = ps_partkey AND l_suppkey = ps_suppkey"
                    + " JOIN orders ON o_orderkey = l_orderkey JOIN customer ON c_custkey = o_custkey"
                    + " WHERE l_orderkey > "
                    + lastKey))
        .isEqualTo(Long.toString(inserted.lineItems()));
  }

  private static String query(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET search_path = tpch_1_incremental");
      try (ResultSet result = statement.executeQuery(sql)) {
        result.next();
        return result.getString(1);
      }
    }
  }
}
