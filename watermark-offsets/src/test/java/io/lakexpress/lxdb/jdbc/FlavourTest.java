package io.lakexpress.lxdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The SQL in which the flavours differ, word for word. */
final class FlavourTest {
  private static String missingInsert(Flavour flavour) {
    return flavour.missingInsert().sql("table_locks", List.of("a", "b", "c"), List.of("a", "b"));
  }

  @Test
  void urlNamesTheFlavour() {
    assertThat(Flavour.of("jdbc:postgresql://db:5432/lakexpress")).isSameAs(Flavour.POSTGRESQL);
    assertThat(Flavour.of("jdbc:sqlserver://db:1433;databaseName=x")).isSameAs(Flavour.SQLSERVER);
    assertThat(Flavour.of("jdbc:sqlite:/var/lib/lakexpress.db")).isSameAs(Flavour.SQLITE);
  }

  @Test
  void rowsAreLockedInTheFlavoursOwnWay() {
    assertThat(Flavour.POSTGRESQL.lockingSelect("a, b", "t", "a = ?"))
        .isEqualTo("SELECT a, b FROM t WHERE a = ? FOR NO KEY UPDATE");
    assertThat(Flavour.SQLSERVER.lockingSelect("a, b", "t", "a = ?"))
        .isEqualTo("SELECT a, b FROM t WITH (UPDLOCK, ROWLOCK) WHERE a = ?");
    // An immediate transaction is alone already.
    assertThat(Flavour.SQLITE.lockingSelect("a, b", "t", "a = ?"))
        .isEqualTo("SELECT a, b FROM t WHERE a = ?");
  }

  @Test
  void missingRowIsInsertedWithoutFailingOnAPresentOne() {
    assertThat(missingInsert(Flavour.POSTGRESQL))
        .isEqualTo("INSERT INTO table_locks (a, b, c) VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
    assertThat(missingInsert(Flavour.SQLITE)).isEqualTo(missingInsert(Flavour.POSTGRESQL));
    assertThat(missingInsert(Flavour.SQLSERVER))
        .isEqualTo(
            "MERGE INTO table_locks WITH (HOLDLOCK) AS t USING (VALUES (?, ?, ?)) AS s (a, b, c)"
                + " ON t.a = s.a AND t.b = s.b"
                + " WHEN NOT MATCHED THEN INSERT (a, b, c) VALUES (s.a, s.b, s.c);");
  }

  @Test
  void driversOfAllFlavoursAreThere() {
    for (Flavour flavour : List.of(Flavour.POSTGRESQL, Flavour.SQLSERVER, Flavour.SQLITE)) {
      DatabaseTarget target = new DatabaseTarget(flavour.urlPrefix() + "x", "", "");
      assertThat(new DriverSource(flavour, target).isWrapperFor(DriverSource.class)).isTrue();
    }
  }
}
