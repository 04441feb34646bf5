package io.lakexpress.connect.lake;

import static io.lakexpress.connect.Figure.number;

import io.lakexpress.connect.Figure;
import io.lakexpress.connect.lake.file.WriterFigures;
import io.lakexpress.connect.lake.finish.FinisherFigures;
import java.util.List;

/** What the lake sink tells about itself. */
final class SinkFigures {
  /** About its tasks. */
  static final List<Figure<WriterFigures>> OF_WRITERS =
      List.of(
          number("OpenFiles", "Files that take rows", WriterFigures::openFiles),
          number(
              "BufferedBytes",
              "Heap that open files hold; `lake.memory.bytes` bounds it",
              WriterFigures::bufferedBytes),
          number(
              "OldestOpenFileSeconds",
              "Age of the oldest open file; 0 if none is open",
              WriterFigures::oldestOpenFileSeconds),
          number(
              "Rows",
              "Rows written into files; again where a file was given up and written anew",
              WriterFigures::rows),
          number("Files", "Files entered in the ledger", WriterFigures::files),
          number("Bytes", "Size of these files", WriterFigures::bytes),
          number("Parts", "Parts in which the store took them", WriterFigures::parts),
          number(
              "Retries",
              "How often records were put off since the store or the LakeXpress DB was down",
              WriterFigures::retries),
          number(
              "EarlyRolls",
              "Files closed early, since `lake.memory.bytes` was reached",
              WriterFigures::earlyRolls),
          number(
              "RefusedRecords",
              "Records handed to the dead letter queue",
              WriterFigures::refusedRecords),
          number(
              "NullValues",
              "Records without a value that were passed over",
              WriterFigures::nullValues),
          number(
              "PassedOver",
              "Rows of jobs that cannot land: replaced by another attempt, pruned, or of another"
                  + " sync",
              WriterFigures::passedOver));

  /** About its finisher. */
  static final List<Figure<FinisherFigures>> OF_FINISHER =
      List.of(
          number("PublishedFiles", "Files made visible", FinisherFigures::publishedFiles),
          number(
              "PublishLatencyMs",
              "Of the file published last: the time from its entry in the ledger until it was"
                  + " visible",
              FinisherFigures::publishLatencyMillis),
          number("Landed", "Windows and full exports that landed", FinisherFigures::landed),
          number("Failed", "Windows and full exports that cannot land", FinisherFigures::failed),
          number("Waiting", "Delivered ones that have not landed yet", FinisherFigures::waiting),
          number("LostFiles", "Staged files that the store has lost", FinisherFigures::lostFiles),
          number("DeletedFiles", "Superseded files deleted", FinisherFigures::deletedFiles),
          number(
              "Retries",
              "How often finishing was put off since the store or the LakeXpress DB was down",
              FinisherFigures::retries));

  private SinkFigures() {}
}
