package io.lakexpress.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.lakexpress.cli.verify.LakeReader;
import io.lakexpress.cli.verify.TableComparison;
import io.lakexpress.lxdb.LakexpressDb;
import io.lakexpress.lxdb.Run;
import io.lakexpress.lxdb.WatermarkBook;
import io.lakexpress.standalone.ConnectRest;
import io.lakexpress.standalone.EmbeddedDatabase;
import io.lakexpress.standalone.StackException;
import io.lakexpress.standalone.TpchLoader;
import io.lakexpress.watermark.TableId;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;

/**
 * The story of the demo: a first sync, new orders, a second sync, and the proof that nothing is
 * missing.
 */
final class Demo {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int NEW_ORDERS = 250;
  private static final String LAG = "incremental.safety.lag.seconds";

  private final ConnectRest rest;
  private final EmbeddedDatabase database;
  private final LakexpressDb db;
  private final Path lake;
  private final PrintWriter out;
  private final Clock clock;

  private ConnectorSample source;
  private final ConnectorSample sink;
  private final String syncId;

  Demo(
      ConnectRest rest,
      EmbeddedDatabase database,
      LakexpressDb db,
      Path lake,
      PrintWriter out,
      Clock clock) {
    this.rest = rest;
    this.database = database;
    this.db = db;
    this.lake = lake;
    this.out = out;
    this.clock = clock;
    String lxdbUrl = database.jdbcUrl(EmbeddedDatabase.LAKEXPRESS_DATABASE);
    this.source =
        ConnectorSample.read("source-postgres.json")
            .with("source.url", database.jdbcUrl(EmbeddedDatabase.SOURCE_DATABASE))
            .with("lxdb.url", lxdbUrl)
            // Runs start when they are asked for, so an interval would contradict.
            .without("sync.interval.seconds")
            .with("sync.mode", "on-demand");
    this.sink =
        ConnectorSample.read("lake-local.json")
            .with("lxdb.url", lxdbUrl)
            .with("lake.url", lake.toUri().toString());
    this.syncId = source.config().get("sync.id");
  }

  /** Whether every table of the database is in the lake, value for value. */
  boolean tell() throws SQLException {
    heading("First sync: every row up to two days ago (safety lag 172800 s)");
    source = source.with(LAG, "172800");
    create(source);
    create(sink);
    Run first = sync(0);

    heading("New orders with their items, dated yesterday");
    insertOrders();

    heading("Second sync: only what is new (safety lag 3600 s)");
    source = source.with(LAG, "3600");
    reconfigureSource();
    sync(first.number());

    printLake();
    printOffsets();
    printWatermarks();
    return compare();
  }

  private void create(ConnectorSample sample) {
    rest.configure(sample.name(), sample.config());
    out.printf("  created connector %s%n", sample.name());
    out.flush();
  }

  /**
   * Stopped first: tasks that are about to be restarted could still take the next run, with the old
   * lag.
   */
  private void reconfigureSource() {
    rest.stop(source.name());
    awaitStopped();
    rest.configure(source.name(), source.config());
    rest.resume(source.name());
    out.printf("  set %s of %s to %s%n", LAG, source.name(), source.config().get(LAG));
    out.flush();
  }

  private void awaitStopped() {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!isStopped(rest.status(source.name()))) {
      if (System.nanoTime() - deadline > 0) {
        throw new StackException("Connector " + source.name() + " does not stop");
      }
      RunProgress.pause();
    }
  }

  private static boolean isStopped(JsonNode status) {
    return status.path("connector").path("state").asText().equals("STOPPED")
        && status.path("tasks").isEmpty();
  }

  private Run sync(long previousNumber) {
    db.syncs().requestRun(syncId, "requested");
    return new RunProgress(db, rest, List.of(source.name(), sink.name()), out)
        .awaitLanded(syncId, previousNumber, PATIENCE);
  }

  private void insertOrders() throws SQLException {
    LocalDate yesterday = LocalDate.now(clock).minusDays(1);
    try (Connection connection = database.connect(EmbeddedDatabase.SOURCE_DATABASE)) {
      TpchLoader.NewOrders inserted =
          new TpchLoader(connection, clock).insertOrders(NEW_ORDERS, yesterday);
      out.printf(
          "  inserted %,d orders and %,d items dated %s%n",
          inserted.orders(), inserted.lineItems(), yesterday);
    }
  }

  private void printLake() throws SQLException {
    heading("The lake: " + lake);
    try (Connection connection = database.connect(EmbeddedDatabase.SOURCE_DATABASE);
        LakeReader reader = LakeReader.open(lake)) {
      for (TableId table : new TableComparison(connection, reader).tables(TpchLoader.SCHEMA)) {
        String folder = table.schema() + "/" + table.table();
        out.printf("  %s/%n", folder);
        for (LakeReader.LakeFile file : reader.files(folder)) {
          out.printf(
              "    %-62s %,10d rows %,12d bytes%n",
              file.name(), file.rows(), size(lake.resolve(folder).resolve(file.name())));
        }
      }
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void printOffsets() {
    heading("Source offsets: GET /connectors/" + source.name() + "/offsets");
    for (JsonNode offset : rest.offsets(source.name()).path("offsets")) {
      out.printf("  %s%n      %s%n", offset.path("partition"), offset.path("offset"));
    }
  }

  private void printWatermarks() {
    heading("Watermarks in the LakeXpress DB, with their history");
    for (WatermarkBook.Watermark watermark : db.watermarks().watermarks(syncId)) {
      out.printf(
          "  %s by %s (%s): %s, landed %s%n",
          watermark.table(),
          watermark.column(),
          watermark.type(),
          watermark.exported().orElse("-"),
          watermark.landed().orElse("-"));
      for (WatermarkBook.Advance advance : db.watermarks().history(syncId, watermark.table())) {
        out.printf(
            "      %s  %s -> %s  %,d rows (%s)%n",
            advance.at(),
            advance.previousValue() == null ? "-" : advance.previousValue(),
            advance.newValue(),
            advance.rows(),
            advance.cause().text());
      }
    }
  }

  private boolean compare() throws SQLException {
    heading("Every column of every row, PostgreSQL against Parquet (read by DuckDB)");
    boolean agrees = true;
    try (Connection connection = database.connect(EmbeddedDatabase.SOURCE_DATABASE);
        LakeReader reader = LakeReader.open(lake)) {
      TableComparison comparison = new TableComparison(connection, reader);
      for (TableId table : comparison.tables(TpchLoader.SCHEMA)) {
        TableComparison.Outcome outcome = comparison.compare(table);
        out.printf(
            "  %-8s  %-34s %s%n",
            outcome.agrees() ? "agrees" : "DIFFERS", table, outcome.inDatabase());
        if (!outcome.agrees()) {
          out.printf("            in the lake: %s%n", outcome.inLake());
          agrees = false;
        }
      }
    }
    out.printf("%n%s%n", agrees ? "All tables agree." : "Some tables differ.");
    out.flush();
    return agrees;
  }

  private void heading(String text) {
    out.printf("%n%s%n", text);
    out.flush();
  }
}
