package io.lakexpress.connect.source;

import io.lakexpress.connect.source.read.ZoneRule;
import io.lakexpress.watermark.TableId;
import java.time.ZoneId;
import java.util.Map;

/**
 * The zones of watermark columns that hold none, as far as the user said it.
 *
 * @param everywhere null if the user set none, which means UTC
 */
record TableZones(ZoneId everywhere, Map<TableId, ZoneId> overrides) {
  TableZones {
    overrides = Map.copyOf(overrides);
  }

  ZoneRule rule() {
    return new ZoneRule(everywhere == null ? ZoneId.of("UTC") : everywhere, overrides);
  }

  /** Whether the user said it, for all tables or for this one. */
  boolean isSet(TableId table) {
    return everywhere != null || overrides.containsKey(table);
  }
}
