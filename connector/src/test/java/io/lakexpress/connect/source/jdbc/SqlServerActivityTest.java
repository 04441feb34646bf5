package io.lakexpress.connect.source.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.source.jdbc.SqlServerActivity.Listed;
import io.lakexpress.connect.source.read.OpenTransaction;
import io.lakexpress.connect.source.read.OpenTransaction.Work;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SqlServerActivityTest {
  private static final Instant BEGAN = Instant.parse("2026-12-01T03:30:00Z");

  @Test
  void writersHoldTheRunBackByTheirBeginning() {
    assertThat(new Listed("4711", BEGAN, 1, "55", "app", "shop", "sleeping").transaction())
        .isEqualTo(
            new OpenTransaction(
                Set.of("4711"), BEGAN, Work.WRITTEN, "session 55 (login app, shop, sleeping)"));
  }

  @Test
  void withoutTheServersZoneTheBeginningIsNotShown() {
    OpenTransaction transaction =
        new Listed("4711", null, 0, "55", "app", "", "running").transaction();

    assertThat(transaction.began()).isNull();
    assertThat(transaction.work()).isEqualTo(Work.READ);
    assertThat(transaction.who()).isEqualTo("session 55 (login app, running)");
  }

  @Test
  void ourOwnReadersHoldNobodyBack() {
    assertThat(
            new Listed("1", BEGAN, 0, "56", "reader", "lakexpress-shop", "running")
                .transaction()
                .work())
        .isEqualTo(Work.OURS);
    assertThat(
            new Listed("1", BEGAN, 1, "56", "reader", "lakexpress-shop", "running")
                .transaction()
                .work())
        .isEqualTo(Work.WRITTEN);
  }

  @Test
  void preparedTransactionsHaveNoSession() {
    assertThat(new Listed("9", BEGAN, 1, null, null, null, null).transaction())
        .isEqualTo(
            new OpenTransaction(Set.of("9"), BEGAN, Work.WRITTEN, "distributed transaction 9"));
  }

  @Test
  void namesOfClientsFitOneLine() {
    assertThat(
            new Listed("9", BEGAN, 1, "7", "a\nb", "x".repeat(80), "running").transaction().who())
        .isEqualTo("session 7 (login a b, " + "x".repeat(63) + "…, running)");
  }
}
