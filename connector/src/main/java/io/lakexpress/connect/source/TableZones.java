package io.lakexpress.connect.source;

import io.lakexpress.watermark.TableId;
import java.time.ZoneId;
import java.util.Map;

/**
 * The zones of watermark columns that hold none.
 *
 * @param everywhere null if the user set none, which means UTC
 */
record TableZones(ZoneId everywhere, Map<TableId, ZoneId> overrides) {
  TableZones {
    overrides = Map.copyOf(overrides);
  }

  ZoneId of(TableId table) {
    return overrides.getOrDefault(table, everywhere == null ? ZoneId.of("UTC") : everywhere);
  }

  /** Whether the user said it, for all tables or for this one. */
  boolean isSet(TableId table) {
    return everywhere != null || overrides.containsKey(table);
  }
}
