package io.lakexpress.connect.lake.file;

import io.lakexpress.lxdb.FileLedger;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/**
 * The jobs whose closing records a task has passed over. They go into the ledger before any
 * position that lies beyond those records, so that a crash makes the task read them again. Owned by
 * one thread.
 */
final class Announcements {
  private static final Set<String> CLOSING = Set.of("closed", "slice-closed");
  private static final String KIND = "kind";
  private static final String JOB_ID = "job_id";

  private final String syncId;
  private final FileLedger ledger;
  private final Set<String> unwritten = new TreeSet<>();

  Announcements(String syncId, FileLedger ledger) {
    this.syncId = syncId;
    this.ledger = ledger;
  }

  /** Takes note of a record of the runs topic, if it closes a job. */
  void read(Schema schema, Object value) {
    if (value instanceof Struct record
        && schema.field(KIND) != null
        && schema.field(JOB_ID) != null
        && record.get(KIND) instanceof String kind
        && CLOSING.contains(kind)
        && record.get(JOB_ID) instanceof String jobId) {
      unwritten.add(jobId);
    }
  }

  /** Writes what is not in the ledger yet; forgets nothing if that fails. */
  void write() {
    if (!unwritten.isEmpty()) {
      ledger.noteAnnounced(syncId, Set.copyOf(unwritten));
      unwritten.clear();
    }
  }
}
