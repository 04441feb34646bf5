package io.lakexpress.connect.source.read;

import io.lakexpress.lxdb.Job;
import io.lakexpress.watermark.Direction;
import io.lakexpress.watermark.TableSpec;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Optional;

/** Up to when a table is complete if it is exported up to a watermark. */
final class Freshness {
  private Freshness() {}

  /** The instant for the window of a job. */
  static Optional<Instant> of(Job job, String watermark, ZoneRule zones) {
    return watermark == null || job.incremental().isEmpty()
        ? Optional.empty()
        : of(watermark, TableSpec.parse(job.incremental()).direction(), zones.of(job.table()));
  }

  /**
   * The instant.
   *
   * @param watermark canonical text of a watermark of any kind
   * @param zone what zone-less times and dates are in
   * @return empty for a watermark that is no time
   */
  static Optional<Instant> of(String watermark, Direction direction, ZoneId zone) {
    try {
      if (watermark.endsWith("Z")) {
        return Optional.of(Instant.parse(watermark));
      }
      if (watermark.indexOf('T') > 0) {
        return Optional.of(LocalDateTime.parse(watermark).atZone(zone).toInstant());
      }
      if (watermark.indexOf('-') > 0) {
        LocalDate day = LocalDate.parse(watermark);
        LocalDate end =
            switch (direction) {
              case INCLUSIVE -> day.plusDays(1);
              case EXCLUSIVE -> day;
            };
        return Optional.of(end.atStartOfDay(zone).toInstant());
      }
      return Optional.empty();
    } catch (DateTimeException e) {
      // A year that does not fit: as good as no time.
      return Optional.empty();
    }
  }
}
