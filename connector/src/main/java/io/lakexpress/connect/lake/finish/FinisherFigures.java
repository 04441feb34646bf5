package io.lakexpress.connect.lake.finish;

/**
 * What a finisher has done since it began, and what waits for it.
 *
 * @param publishedFiles files made visible
 * @param publishLatencyMillis of the file published last, from its entry in the ledger until it was
 *     visible; 0 before the first
 * @param landed runs of tables that became part of the lake
 * @param failed runs of tables that can never land
 * @param lostFiles staged files that the store has lost
 * @param deletedFiles superseded files that were deleted
 * @param waiting delivered runs of tables that have not landed
 * @param retries passes that ended early since a service was down
 */
public record FinisherFigures(
    long publishedFiles,
    long publishLatencyMillis,
    long landed,
    long failed,
    long lostFiles,
    long deletedFiles,
    long waiting,
    long retries) {}
