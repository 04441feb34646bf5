package io.lakexpress.connect.lake.file;

import java.time.Duration;

/**
 * How a writer rolls its files and what it does with records without a value.
 *
 * @param missingRows how long a delivered job may stay short of rows; sets how often a writer tells
 *     that nothing more comes
 */
public record WriterSettings(RollPolicy roll, NullValues nullValues, Duration missingRows) {}
