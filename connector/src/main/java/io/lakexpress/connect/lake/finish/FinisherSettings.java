package io.lakexpress.connect.lake.finish;

import java.time.Duration;

/**
 * What a finisher works for.
 *
 * @param connector the name of the lake sink connector, which holds the lake side of the sync
 * @param instance tells two instances of the same connector apart
 * @param missingRows how long a delivered job may stay short of rows without any progress
 * @param supersededRetention how long superseded files are kept outside of every glob
 */
public record FinisherSettings(
    String syncId,
    String connector,
    String instance,
    Duration missingRows,
    Duration supersededRetention) {
  public FinisherSettings {
    if (missingRows.isNegative() || supersededRetention.isNegative()) {
      throw new IllegalArgumentException(
          "Invalid times of a finisher: expected none below zero, found "
              + missingRows
              + " and "
              + supersededRetention);
    }
  }
}
