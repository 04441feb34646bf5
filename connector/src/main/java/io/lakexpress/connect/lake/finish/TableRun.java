package io.lakexpress.connect.lake.finish;

import io.lakexpress.lxdb.FileLedger.Waiting;
import io.lakexpress.lxdb.Job;
import io.lakexpress.watermark.TableId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The delivered, unlanded jobs of one table in one run: what lands together. */
record TableRun(long runNumber, String runId, TableId table, List<Waiting> slices) {
  private record Key(String runId, TableId table) {}

  TableRun {
    slices = List.copyOf(slices);
  }

  /** Groups waiting jobs, keeping their order. */
  static List<TableRun> group(List<Waiting> waiting) {
    Map<Key, List<Waiting>> groups = new LinkedHashMap<>();
    for (Waiting each : waiting) {
      groups
          .computeIfAbsent(
              new Key(each.job().runId(), each.job().table()), key -> new ArrayList<>())
          .add(each);
    }
    return groups.entrySet().stream()
        .map(
            group ->
                new TableRun(
                    group.getValue().get(0).job().runNumber(),
                    group.getKey().runId(),
                    group.getKey().table(),
                    group.getValue()))
        .toList();
  }

  List<Job> jobs() {
    return slices.stream().map(Waiting::job).toList();
  }

  List<String> jobIds() {
    return jobs().stream().map(Job::jobId).toList();
  }

  boolean hasAllSlices() {
    return slices.size() == slices.get(0).job().slice().count();
  }

  boolean isComplete() {
    return hasAllSlices() && slices.stream().allMatch(Waiting::isComplete);
  }

  /** Whether it takes the place of everything the lake had of the table. */
  boolean replacesPredecessors() {
    return slices.get(0).job().mode().replacesPredecessors();
  }

  /** When the last of its closing records was read; empty while one of them was not. */
  Optional<Instant> announcedAt() {
    return slices.stream().allMatch(slice -> slice.announcedAt() != null)
        ? slices.stream().map(Waiting::announcedAt).max(Comparator.naturalOrder())
        : Optional.empty();
  }

  long rows() {
    return jobs().stream().mapToLong(Job::rows).sum();
  }

  long ledgerRows() {
    return slices.stream().mapToLong(Waiting::ledgerRows).sum();
  }

  @Override
  public String toString() {
    return table + " of run " + runNumber;
  }
}
