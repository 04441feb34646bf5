package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What never came through the topic is told, not papered over. */
@ExtendWith(StackExtension.class)
final class LostRowsIT {
  private final TestingStack stack;

  LostRowsIT(TestingStack stack) {
    this.stack = stack;
  }

  @Test
  void rowsThatExpiredBeforeTheSinkReadThemFailTheJobLoudlyAndNeverLand() {
    try (TestingSync sync = stack.sync("expired")) {
      sync.sql(
              """
              CREATE TABLE ev (id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
              INSERT INTO ev SELECT g FROM generate_series(1, 50) g;
              """)
          .source("incremental.tables", "public.ev:at:timestamp")
          .sink("lake.missing.rows.ms", "3000")
          .startSource();
      sync.run(Status.DELIVERED);
      stack.kafka().expire(sync.topicName("ev"));
      sync.startSink();

      Run run = sync.awaitRun(1, Status.FAILED);
      assertThat(sync.job(run, "ev").failure().orElseThrow())
          .contains("public.ev")
          .contains("50")
          .contains("0");
      assertThat(sync.lakeRows("ev")).isZero();
      assertThat(sync.trouble()).isEmpty();
    }
  }
}
