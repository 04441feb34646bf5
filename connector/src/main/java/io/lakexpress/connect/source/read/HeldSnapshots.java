package io.lakexpress.connect.source.read;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The snapshots this task holds, by the job that took them. Owned by the reader's thread. */
final class HeldSnapshots {
  private final Map<String, HeldSnapshot> held = new HashMap<>();

  void hold(String jobId, HeldSnapshot snapshot) {
    release(jobId);
    held.put(jobId, snapshot);
  }

  Optional<String> of(String jobId) {
    return Optional.ofNullable(held.get(jobId)).map(HeldSnapshot::name);
  }

  void release(String jobId) {
    HeldSnapshot snapshot = held.remove(jobId);
    if (snapshot != null) {
      snapshot.close();
    }
  }

  void releaseAll() {
    List.copyOf(held.keySet()).forEach(this::release);
  }
}
