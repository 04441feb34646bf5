package io.lakexpress.connect.source.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.watermark.Direction;
import io.lakexpress.watermark.TableId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableMetricsTest {
  private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");

  private static TableMetrics metrics() {
    return new TableMetrics(TableId.parse("shop.orders"), Clock.fixed(NOW, ZoneOffset.UTC));
  }

  @Test
  void lagIsMeasuredFromWhatIsDeliveredAndNeverNegative() {
    TableMetrics metrics = metrics();
    assertThat(metrics.figures().lagSeconds()).isEqualTo(-1);

    metrics.delivered("a", NOW.minusSeconds(90));
    assertThat(metrics.figures().lagSeconds()).isEqualTo(90);

    metrics.delivered("b", NOW.plusSeconds(5));
    assertThat(metrics.figures().lagSeconds()).isZero();
  }

  @Test
  void aJobWithoutABoundLeavesWatermarkAndLag() {
    TableMetrics metrics = metrics();
    metrics.delivered("a", NOW.minusSeconds(90));

    metrics.delivered(null, null);

    assertThat(metrics.figures().watermark()).isEqualTo("a");
    assertThat(metrics.figures().lagSeconds()).isEqualTo(90);
    assertThat(metrics.figures().jobs()).isEqualTo(2);
  }

  @Test
  void severalTasksCountTogetherAndTheLastOneHasTheSay() {
    TableMetrics first = metrics();
    TableMetrics second = metrics();
    first.read(10, 100, 2_000_000);
    first.failed("broken", TableState.FAILED);
    second.begun(Duration.ofSeconds(7));
    second.read(5, 50, 1_000_000);
    second.leftAlone();

    TableFigures both = TableFigures.together(List.of(first.figures(), second.figures()));

    assertThat(both.rows()).isEqualTo(15);
    assertThat(both.bytes()).isEqualTo(150);
    assertThat(both.readMillis()).isEqualTo(3);
    assertThat(both.state()).isEqualTo(TableState.IDLE);
    assertThat(both.heldBackSeconds()).isEqualTo(7);
  }

  @Test
  void aTableIsReadIfAnybodyReadsIt() {
    TableMetrics first = metrics();
    TableMetrics second = metrics();
    first.begun(Duration.ZERO);
    second.begun(Duration.ZERO);
    second.leftAlone();

    assertThat(TableFigures.together(List.of(first.figures(), second.figures())).state())
        .isEqualTo(TableState.READING);
  }

  @Test
  void whatATaskHasCountedOutlivesIt() {
    TableMetrics gone = metrics();
    gone.read(10, 100, 0);
    gone.failed("broken", TableState.FAILED);

    TableFigures rest = TableFigures.together(List.of(gone.figures().counts()));

    assertThat(rest.rows()).isEqualTo(10);
    assertThat(rest.state()).isEqualTo(TableState.IDLE);
    assertThat(rest.lastError()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-12-01T10:00:00.5Z, INCLUSIVE, 2026-12-01T10:00:00.5Z",
    "2026-12-01T10:00:00, INCLUSIVE, 2026-12-01T09:00:00Z",
    "2026-12-01, INCLUSIVE, 2026-12-01T23:00:00Z",
    "2026-12-01, EXCLUSIVE, 2026-11-30T23:00:00Z",
    "4711, INCLUSIVE,",
    "-4711, INCLUSIVE,"
  })
  void completeTo(String watermark, Direction direction, Instant instant) {
    assertThat(Freshness.of(watermark, direction, ZoneId.of("Europe/Paris")).orElse(null))
        .isEqualTo(instant);
  }
}
