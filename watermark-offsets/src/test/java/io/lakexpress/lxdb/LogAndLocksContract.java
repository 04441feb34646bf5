package io.lakexpress.lxdb;

import static io.lakexpress.lxdb.TestBooks.ITEMS;
import static io.lakexpress.lxdb.TestBooks.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.TableLocks.Lock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What every {@link EventLog} and {@link TableLocks} does. */
public abstract class LogAndLocksContract extends DbContract {
  protected LogAndLocksContract(Supplier<LakexpressDb> databases) {
    super(databases);
  }

  @Test
  void newestEventsComeFirst() {
    db.log().write("INFO", sync, "", "", "first");
    db.log().write("WARN", sync, "run", "j-1", "second");
    db.log().write("INFO", sync, "", "", "third");

    assertThat(db.log().events(sync, 2))
        .extracting(EventLog.Event::message)
        .containsExactly("third", "second");
    EventLog.Event second = db.log().events(sync, 2).get(1);
    assertThat(second.level()).isEqualTo("WARN");
    assertThat(second.runId()).isEqualTo("run");
    assertThat(second.jobId()).isEqualTo("j-1");
    assertThat(second.at()).isBeforeOrEqualTo(db.runs().now());
  }

  @Test
  void lockIsKeptByItsOwnerAndRefusedToOthers() {
    Lock mine = db.locks().lock(sync, ORDERS, "task-0", "run-1");
    assertThat(mine.owner()).isEqualTo("task-0");

    assertThat(db.locks().lock(sync, ORDERS, "task-1", "run-2").owner()).isEqualTo("task-0");
    assertThat(db.locks().lock(sync, ORDERS, "task-0", "run-3").runId()).isEqualTo("run-3");
    db.locks().unlock(sync, ORDERS, "task-1");
    assertThat(db.locks().locks(Optional.of(sync))).hasSize(1);
    db.locks().unlock(sync, ORDERS, "task-0");
    assertThat(db.locks().locks(Optional.of(sync))).isEmpty();
  }

  @Test
  void locksAreReleasedByAgeAndTable() {
    db.locks().lock(sync, ORDERS, "task-0", "run-1");
    db.locks().lock(sync, ITEMS, "task-0", "run-1");
    assertThat(db.locks().locks(Optional.empty())).extracting(Lock::syncId).contains(sync);

    assertThat(db.locks().release(Duration.ofHours(1), Optional.empty())).isZero();
    assertThat(db.locks().release(Duration.ZERO, Optional.of(ORDERS))).isEqualTo(1);
    assertThat(db.locks().locks(Optional.of(sync))).extracting(Lock::table).containsExactly(ITEMS);
    assertThat(db.locks().release(Duration.ZERO, Optional.empty())).isEqualTo(1);
  }
}
