package io.lakexpress.lxdb;

import static io.lakexpress.lxdb.TestBooks.newSync;

import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** What the contracts of all books share: one database per contract, one sync per test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class DbContract {
  private final Supplier<LakexpressDb> databases;
  protected LakexpressDb db;
  protected String sync;

  protected DbContract(Supplier<LakexpressDb> databases) {
    this.databases = databases;
  }

  @BeforeAll
  final void openDatabase() {
    db = databases.get();
  }

  @AfterAll
  final void closeDatabase() {
    db.close();
  }

  @BeforeEach
  final void chooseSync() {
    sync = newSync();
  }
}
