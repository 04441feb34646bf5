package io.lakexpress.connect.source.read;

import io.lakexpress.offset.OffsetPartition;
import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where each table stands: what Connect keeps, or what this task handed over since and Connect has
 * not written yet. Owned by the reader's thread.
 */
final class TableOffsets {
  /** Where an offset is known from. */
  enum Origin {
    /** Connect keeps it; what came after it may have been handed over by an earlier start. */
    STORED,
    /** This task handed it over, and knows that nothing came after it. */
    OWN
  }

  /**
   * Where a table stands.
   *
   * @param offset null if it has none
   */
  record Known(TableOffset offset, Origin origin) {
    Optional<TableOffset> present() {
      return Optional.ofNullable(offset);
    }
  }

  /** What this task handed over since it last saw a foreign offset. */
  private static final class Own {
    private final Set<TableOffset> before = new HashSet<>();
    private final Set<String> jobs = new HashSet<>();
    private TableOffset latest;

    private Own(TableOffset base) {
      before.add(base);
    }

    /** Whether what Connect keeps is no newer than what was handed over. */
    private boolean covers(TableOffset stored) {
      if (before.contains(stored)) {
        return true;
      }
      if (stored == null || stored.jobId() == null || !jobs.contains(stored.jobId())) {
        return false;
      }
      return !stored.jobId().equals(latest.jobId()) || !isBehind(latest, stored);
    }

    private static boolean isBehind(TableOffset one, TableOffset other) {
      return one.rows() < other.rows()
          || (one.isWindowOpen() && !other.isWindowOpen())
          || (one.exportedAt() == null && other.exportedAt() != null);
    }
  }

  private final StoredOffsets stored;
  private final String syncId;
  private final Map<OffsetPartition, Map<String, Object>> partitions = new HashMap<>();
  private final Map<OffsetPartition, Own> handed = new HashMap<>();

  TableOffsets(StoredOffsets stored, String syncId) {
    this.stored = stored;
    this.syncId = syncId;
  }

  /** The partition of a table, the same map for all its records. */
  Map<String, Object> partition(TableId table) {
    return partition(table, Slice.WHOLE);
  }

  /** The partition of a slice, which is the table's own for the whole table. */
  Map<String, Object> partition(TableId table, Slice slice) {
    return partitions.computeIfAbsent(
        new OffsetPartition(syncId, table, slice), OffsetPartition::toMap);
  }

  /**
   * Where the table stands.
   *
   * @throws TableFailure if what Connect keeps cannot be read
   */
  Known of(TableId table) {
    return of(table, Slice.WHOLE);
  }

  /**
   * Where a slice stands, while its table's window or export is open.
   *
   * @throws TableFailure if what Connect keeps cannot be read
   */
  Known of(TableId table, Slice slice) {
    OffsetPartition key = new OffsetPartition(syncId, table, slice);
    TableOffset offset = stored(table, slice);
    Own own = handed.get(key);
    if (own != null && own.latest != null && own.covers(offset)) {
      return new Known(own.latest, Origin.OWN);
    }
    handed.put(key, new Own(offset));
    return new Known(offset, Origin.STORED);
  }

  private TableOffset stored(TableId table, Slice slice) {
    Map<String, Object> map = stored.offset(partition(table, slice));
    if (map == null) {
      return null;
    }
    try {
      return TableOffset.parse(map);
    } catch (IllegalArgumentException e) {
      throw new TableFailure("Cannot read the offset of table " + table + ": " + e.getMessage(), e);
    }
  }

  /** Remembers the offset of the last record handed over. */
  void handedOver(TableId table, TableOffset offset) {
    handedOver(table, Slice.WHOLE, offset);
  }

  /** Remembers the offset of the last record of a slice handed over. */
  void handedOver(TableId table, Slice slice, TableOffset offset) {
    Own own =
        handed.computeIfAbsent(
            new OffsetPartition(syncId, table, slice), partition -> new Own(null));
    own.latest = offset;
    if (offset.jobId() == null) {
      own.before.add(offset);
    } else {
      own.jobs.add(offset.jobId());
    }
  }

  /** Forgets a slice whose removal was handed over. */
  void removed(TableId table, Slice slice) {
    handed.remove(new OffsetPartition(syncId, table, slice));
  }
}
