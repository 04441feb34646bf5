package io.lakexpress.connect.lake.file;

/** How a writer rolls its files and what it does with records without a value. */
public record WriterSettings(RollPolicy roll, NullValues nullValues) {}
