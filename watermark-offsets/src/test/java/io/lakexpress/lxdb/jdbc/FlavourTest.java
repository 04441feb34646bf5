package io.lakexpress.lxdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The SQL in which the flavours differ, word for word. */
final class FlavourTest {
  private static Flavour.Insert missingInsert(Flavour flavour) {
    return flavour
        .missingInsert()
        .of("table_locks", List.of("a", "b", "c"), List.of("b", "a"), Arrays.asList(1, 2, null));
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
        .isEqualTo(
            new Flavour.Insert(
                "INSERT INTO table_locks (a, b, c) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                Arrays.asList(1, 2, null)));
    assertThat(missingInsert(Flavour.SQLITE)).isEqualTo(missingInsert(Flavour.POSTGRESQL));
    assertThat(missingInsert(Flavour.SQLSERVER))
        .isEqualTo(
            new Flavour.Insert(
                "INSERT INTO table_locks (a, b, c) SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM"
                    + " table_locks WITH (UPDLOCK, HOLDLOCK) WHERE b = ? AND a = ?)",
                Arrays.asList(1, 2, null, 2, 1)));
  }

  @Test
  void driversOfAllFlavoursAreThere() {
    for (Flavour flavour : List.of(Flavour.POSTGRESQL, Flavour.SQLSERVER, Flavour.SQLITE)) {
      DatabaseTarget target = new DatabaseTarget(flavour.urlPrefix() + "x", "", "");
      assertThat(new DriverSource(flavour, target).isWrapperFor(DriverSource.class)).isTrue();
    }
  }
}
