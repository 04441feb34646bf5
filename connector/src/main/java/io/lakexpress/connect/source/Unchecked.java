package io.lakexpress.connect.source;

import io.lakexpress.connect.source.read.SourceDatabase;
import io.lakexpress.connect.source.read.SourceException;
import io.lakexpress.watermark.TableId;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Keeps the tables that validation could not look at, for want of time or because somebody holds
 * them. They are told and not refused: nothing is known to be wrong with them.
 */
final class Unchecked {
  private final SourceDatabase database;
  private final BooleanSupplier timeIsUp;
  private final Consumer<String> warnings;
  private final Set<TableId> late = new TreeSet<>();

  Unchecked(SourceDatabase database, BooleanSupplier timeIsUp, Consumer<String> warnings) {
    this.database = database;
    this.timeIsUp = timeIsUp;
    this.warnings = warnings;
  }

  /**
   * Looks at a table, unless the time is up.
   *
   * @throws SourceException if it is not about the table alone
   */
  void look(TableId table, Runnable questions) {
    if (timeIsUp.getAsBoolean()) {
      late.add(table);
      return;
    }
    try {
      questions.run();
    } catch (SourceException e) {
      if (e.kind() == SourceException.Kind.LASTING) {
        throw e;
      }
      // Whether it is the table or the whole server that does not answer.
      database.now();
      warnings.accept("Could not check table " + table + ": " + e.getMessage());
    }
  }

  /** Says which tables were left for want of time. */
  void tell() {
    if (!late.isEmpty()) {
      warnings.accept("Could not check " + late.size() + " tables in time: " + late);
    }
  }
}
