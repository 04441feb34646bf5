package io.lakexpress.lxdb.jdbc;

import static io.lakexpress.lxdb.TestBooks.ORDERS;
import static io.lakexpress.lxdb.TestBooks.export;
import static io.lakexpress.lxdb.TestBooks.newRun;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.AbandonmentContract;
import io.lakexpress.lxdb.ConcurrencyContract;
import io.lakexpress.lxdb.GuardBookContract;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.LandingContract;
import io.lakexpress.lxdb.LedgerContract;
import io.lakexpress.lxdb.LogAndLocksContract;
import io.lakexpress.lxdb.RunBookContract;
import io.lakexpress.lxdb.SyncBookContract;
import io.lakexpress.lxdb.WatermarkBookContract;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** All contracts of the LakeXpress DB on SQL Server, and what is its own. */
@EnabledIf("io.lakexpress.lxdb.jdbc.TestingSqlServer#isHere")
final class SqlServerLakexpressDbTest {
  private static LakexpressDb open() {
    return LakexpressDatabases.open(TestingSqlServer.newDatabase(""));
  }

  /** Readers that do not wait for writers. */
  private static LakexpressDb openWithRowVersions() {
    DatabaseTarget target = TestingSqlServer.newDatabase("");
    String name = target.url().substring(target.url().lastIndexOf('=') + 1);
    TestingSqlServer.run(
        "master",
        "ALTER DATABASE " + name + " SET READ_COMMITTED_SNAPSHOT ON WITH ROLLBACK" + " IMMEDIATE");
    return LakexpressDatabases.open(target);
  }

  private static LakexpressDb openWithOddCollation() {
    return LakexpressDatabases.open(TestingSqlServer.newDatabase("COLLATE Turkish_100_CI_AI"));
  }

  @Nested
  final class Syncs extends SyncBookContract {
    Syncs() {
      super(SqlServerLakexpressDbTest::open);
    }
  }

  @Nested
  final class Runs extends RunBookContract {
    Runs() {
      super(SqlServerLakexpressDbTest::open);
    }
  }

  @Nested
  final class Abandonments extends AbandonmentContract {
    Abandonments() {
      super(SqlServerLakexpressDbTest::open);
    }
  }

  @Nested
  final class Watermarks extends WatermarkBookContract {
    Watermarks() {
      super(SqlServerLakexpressDbTest::open);
    }
  }

  @Nested
  final class Ledger extends LedgerContract {
    Ledger() {
      super(SqlServerLakexpressDbTest::open);
    }
  }

  @Nested
  final class Landings extends LandingContract {
    Landings() {
      super(SqlServerLakexpressDbTest::open);
    }
  }

  @Nested
  final class LogAndLocks extends LogAndLocksContract {
    LogAndLocks() {
      super(SqlServerLakexpressDbTest::open);
    }
  }

  @Nested
  final class Guards extends GuardBookContract {
    Guards() {
      super(SqlServerLakexpressDbTest::open);
    }
  }

  @Nested
  final class Concurrency extends ConcurrencyContract {
    Concurrency() {
      super(SqlServerLakexpressDbTest::open);
    }
  }

  @Nested
  final class ConcurrencyWithRowVersions extends ConcurrencyContract {
    ConcurrencyWithRowVersions() {
      super(SqlServerLakexpressDbTest::openWithRowVersions);
    }
  }

  @Nested
  final class LedgerWithOddCollation extends LedgerContract {
    LedgerWithOddCollation() {
      super(SqlServerLakexpressDbTest::openWithOddCollation);
    }
  }

  @Nested
  final class WatermarksWithOddCollation extends WatermarkBookContract {
    WatermarksWithOddCollation() {
      super(SqlServerLakexpressDbTest::openWithOddCollation);
    }
  }

  @Test
  void severalThatStartAtOnceMigrateOnce() {
    DatabaseTarget target = TestingSqlServer.newDatabase("");

    List<CompletableFuture<Integer>> starts =
        Stream.of(1, 2, 3)
            .map(
                each ->
                    CompletableFuture.supplyAsync(
                        () -> {
                          try (LakexpressDb db = LakexpressDatabases.open(target)) {
                            return db.syncs().list().size();
                          }
                        }))
            .toList();

    assertThat(starts.stream().map(CompletableFuture::join)).containsOnly(0);
  }

  @Test
  void tablesOfOthersAreLeftWhereTheyAre() {
    DatabaseTarget target = TestingSqlServer.newDatabase("");
    String name = target.url().substring(target.url().lastIndexOf('=') + 1);
    TestingSqlServer.run(name, "CREATE TABLE theirs (id int PRIMARY KEY)");
    try (LakexpressDb db = LakexpressDatabases.open(target)) {
      db.runs().open(newRun("first", export(ORDERS)));
      db.runs().open(newRun("second", export(ORDERS)));
    }

    LakexpressDatabases.truncate(target, "first");
    try (LakexpressDb db = LakexpressDatabases.open(target)) {
      assertThat(db.runs().runs("first", 9)).isEmpty();
      assertThat(db.runs().runs("second", 9)).hasSize(1);
    }
    LakexpressDatabases.truncate(target);
    LakexpressDatabases.drop(target);
    TestingSqlServer.run(
        name,
        "INSERT INTO theirs VALUES (1)",
        "IF (SELECT COUNT(*) FROM sys.tables) <> 1 RAISERROR('Tables are left', 16, 1)");
  }
}
