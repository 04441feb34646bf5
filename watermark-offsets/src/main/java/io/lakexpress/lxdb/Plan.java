package io.lakexpress.lxdb;

import java.util.List;

/**
 * The units of a sync. A changed plan is a new generation; runs take their jobs from the generation
 * that is current when they open.
 */
public record Plan(long generation, List<PlannedUnit> units) {
  public Plan {
    units = List.copyOf(units);
  }
}
