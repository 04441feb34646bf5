package io.lakexpress.connect.source.read;

import java.time.Clock;

/** What the classes of one reader share. */
record ReaderParts(
    ReaderSettings settings,
    TableOffsets offsets,
    Leases leases,
    Patience patience,
    HandOver handOver,
    GuardRule guard,
    Halt halt,
    Clock clock,
    SyncMetrics metrics) {}
