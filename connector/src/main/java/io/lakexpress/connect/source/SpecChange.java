package io.lakexpress.connect.source;

import io.lakexpress.lxdb.Job;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.WatermarkBook.Watermark;
import io.lakexpress.watermark.ColumnKind;
import io.lakexpress.watermark.Direction;
import io.lakexpress.watermark.TableSpec;
import io.lakexpress.watermark.UpperBound;
import io.lakexpress.watermark.WatermarkColumn;
import io.lakexpress.watermark.WatermarkType;
import io.lakexpress.watermark.WatermarkValue;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Optional;

/**
 * Decides whether a table may go on from its watermark under a spec that differs from the one the
 * watermark was made under. Where rows would be missed or come twice in silence, the answer is a
 * reason that says how to change the spec all the same.
 */
final class SpecChange {
  /** No two zones are closer; what differs by less is the column's precision. */
  private static final Duration CLOSEST_ZONES = Duration.ofMinutes(15);

  private SpecChange() {}

  /** Whether the watermark is a value of the column at all. */
  static Optional<String> ofColumn(TrackedTable table, Watermark known) {
    String what = null;
    if (!known.column().equals(table.column().name())) {
      what = "of column " + known.column();
    } else if (!isValueOf(table.column().kind(), known)) {
      what = "of another type, " + known.type();
    }
    return Optional.ofNullable(what)
        .map(
            origin ->
                "Cannot track table "
                    + table.id()
                    + " by column "
                    + table.column().name()
                    + " as "
                    + table.spec().type().text()
                    + ": its watermark "
                    + known.lastExportedValue()
                    + " is "
                    + origin
                    + "; to start the table anew, stop the connector under its present"
                    + " configuration, set the table's offset to null and change the spec then");
  }

  private static boolean isValueOf(ColumnKind kind, Watermark known) {
    try {
      WatermarkValue.parse(kind, known.lastExportedValue());
      return WatermarkType.parse(known.type()).filter(type -> type.accepts(kind)).isPresent();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Whether the rows at the watermark itself are read once.
   *
   * @param planned the spec of the last run
   */
  static Optional<String> ofDirection(TrackedTable table, Watermark known, TableSpec planned) {
    Direction before = planned.direction();
    Direction now = table.spec().direction();
    if (before == now) {
      return Optional.empty();
    }
    boolean isTwice = before == Direction.INCLUSIVE;
    WatermarkValue value = WatermarkValue.parse(table.column().kind(), known.lastExportedValue());
    return Optional.of(
        "Cannot change the direction of table "
            + table.id()
            + " from "
            + before.text()
            + " to "
            + now.text()
            + ": the rows at its watermark "
            + value.text()
            + (isTwice ? " would be read twice" : " would never be read")
            + "; stop the connector under its present configuration, set the table's"
            + " last_exported_value to the value just "
            + (isTwice ? "above" : "below")
            + " it"
            + neighbour(value, table.column(), isTwice ? 1 : -1)
                .map(near -> ", " + near.text() + " as it stands,")
                .orElse("")
            + " and change the spec then");
  }

  /** The next value the column can hold; empty if its steps are not its last digit. */
  private static Optional<WatermarkValue> neighbour(
      WatermarkValue value, WatermarkColumn column, int steps) {
    boolean isRegular =
        column
            .step()
            .equals(
                new WatermarkColumn(column.name(), column.kind(), column.fractionDigits()).step());
    if (!isRegular) {
      return Optional.empty();
    }
    Duration distance = column.step().multipliedBy(steps);
    if (value instanceof WatermarkValue.Day day) {
      return Optional.of(new WatermarkValue.Day(day.date().plusDays(steps)));
    }
    if (value instanceof WatermarkValue.LocalTime local) {
      return Optional.of(new WatermarkValue.LocalTime(local.dateTime().plus(distance)));
    }
    if (value instanceof WatermarkValue.PointInTime point) {
      return Optional.of(new WatermarkValue.PointInTime(point.instant().plus(distance)));
    }
    if (value instanceof WatermarkValue.Whole whole) {
      return Optional.of(new WatermarkValue.Whole(whole.number() + steps));
    }
    WatermarkValue.RowVersion version = (WatermarkValue.RowVersion) value;
    return Optional.of(new WatermarkValue.RowVersion(version.bits() + steps));
  }

  /**
   * Whether the watermark lies ahead of the clock in the zone now set: rows stamped in between came
   * after the last run and would never be read. The zone of that run is kept nowhere, but its
   * instant and the bound made of it are.
   *
   * @param run the run that moved the watermark last
   * @param job the table's job of it
   */
  static Optional<String> ofZone(TrackedTable table, Watermark known, Run run, Job job) {
    boolean isZoneless =
        table.column().kind() == ColumnKind.LOCAL_TIME || table.column().kind() == ColumnKind.DATE;
    Instant instant = run.upperBound();
    if (!isZoneless || instant == null || !isMadeOfTheInstant(job, known)) {
      return Optional.empty();
    }
    Direction direction = TableSpec.parse(job.incremental()).direction();
    WatermarkValue bound = UpperBound.of(instant, table.column(), direction, table.zone());
    WatermarkValue value = WatermarkValue.parse(table.column().kind(), known.lastExportedValue());
    if (Duration.between(start(bound), start(value)).compareTo(CLOSEST_ZONES) < 0) {
      return Optional.empty();
    }
    return Optional.of(
        "Cannot read column "
            + table.column().name()
            + " of table "
            + table.id()
            + " in zone "
            + table.zone()
            + ": its watermark "
            + value.text()
            + " was made in another zone and is "
            + bound.text()
            + " in this one, so rows stamped in between would never be read; stop the connector"
            + " under its present configuration, set the table's last_exported_value to "
            + bound.text()
            + " and change the zone then");
  }

  /** A bound below the watermark before was lifted to it and tells nothing. */
  private static boolean isMadeOfTheInstant(Job job, Watermark known) {
    return known.lastExportedValue().equals(job.upperBound())
        && !job.upperBound().equals(job.lowerBound());
  }

  private static LocalDateTime start(WatermarkValue value) {
    return value instanceof WatermarkValue.Day day
        ? day.date().atStartOfDay()
        : ((WatermarkValue.LocalTime) value).dateTime();
  }
}
