package io.lakexpress.connect.source.read;

import io.lakexpress.watermark.TableId;
import java.time.ZoneId;
import java.util.Map;

/** Which zone the zone-less watermark columns of a table are in. */
public record ZoneRule(ZoneId standard, Map<TableId, ZoneId> overrides) {
  public ZoneRule {
    overrides = Map.copyOf(overrides);
  }

  public ZoneId of(TableId table) {
    return overrides.getOrDefault(table, standard);
  }
}
