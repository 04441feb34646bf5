package io.lakexpress.connect.source;

import static io.lakexpress.connect.Figure.number;
import static io.lakexpress.connect.Figure.text;

import io.lakexpress.connect.Figure;
import io.lakexpress.connect.source.read.SyncFigures;
import io.lakexpress.connect.source.read.TableFigures;
import java.util.List;

/** What the source tells about itself. */
final class SourceFigures {
  /** About a table. */
  static final List<Figure<TableFigures>> OF_TABLE =
      List.of(
          text("Watermark", "Value up to which the table is delivered", TableFigures::watermark),
          number(
              "LagSeconds",
              "How far what is delivered lies behind now; for a table without a watermark in time,"
                  + " since the start of the last run that delivered it; -1 while not known",
              TableFigures::lagSeconds),
          number("Rows", "Rows handed over to Connect", TableFigures::rows),
          number("Windows", "Jobs delivered: windows and full exports", TableFigures::jobs),
          number("Bytes", "Estimated size of the rows handed over", TableFigures::bytes),
          number(
              "QueryTimeMs",
              "Time spent on queries and fetching, without waiting for Kafka",
              TableFigures::readMillis),
          number(
              "NullRows",
              "Rows whose watermark column is NULL, as the last window found them",
              TableFigures::nullRows),
          number(
              "HeldBackSeconds",
              "How much late commits held back the bound of the last window",
              TableFigures::heldBackSeconds),
          number(
              "Retries",
              "How often reading was tried again after a failure that may pass",
              TableFigures::retries),
          text(
              "State",
              "`idle`, `reading`, `waiting` (for its next try), `failed` (until the next run) or"
                  + " `skipped` (until the connector is restarted)",
              figures -> figures.state().text()),
          text(
              "LastError",
              "What failed last and what to do; empty once the table is delivered again",
              TableFigures::lastError));

  /** About the sync. */
  static final List<Figure<SyncFigures>> OF_SYNC =
      List.of(
          number("RunNumber", "Number of the latest run", SyncFigures::runNumber),
          text("RunState", "Of that run: `open`, `delivered` or `failed`", SyncFigures::runState),
          number(
              "HeldBackSeconds",
              "How much late commits held back the bound of that run",
              SyncFigures::heldBackSeconds),
          text("GuardNote", "Who held it back; empty if nobody did", SyncFigures::guardNote),
          number(
              "DeliveriesWaiting",
              "Jobs that Kafka has and the LakeXpress DB does not know of yet",
              SyncFigures::deliveriesWaiting),
          number(
              "LakexpressDbDownSeconds",
              "For how long the LakeXpress DB has not answered; 0 if it does",
              SyncFigures::lakexpressDbDownSeconds),
          number(
              "SourceDownSeconds",
              "For how long the source database could not be asked for a run; 0 if it could",
              SyncFigures::sourceDownSeconds));

  private SourceFigures() {}
}
