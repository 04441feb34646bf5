package io.lakexpress.connect.lake.file;

/**
 * A store that holds the lake: begin, stage and publish are separate steps, so that a crash between
 * any two of them leaves nothing half visible. Every method names the base folder implicitly; all
 * take paths below it. Publish, discard, retire and delete are idempotent.
 *
 * <p>Thread-safe: tasks stage while the finisher publishes.
 */
public interface LakeStorage extends AutoCloseable {
  /** What {@link #publish} found. */
  enum PublishOutcome {
    /** The object is visible under its path now. */
    PUBLISHED,
    /** Neither the staged object nor a published one exists: the store lost it. */
    LOST
  }

  /**
   * Names the staging place of a new object, creating it where the store needs that (an upload id).
   * The caller registers the handle in the ledger before it opens the object, so that a sweep finds
   * it.
   *
   * @param writerEpoch the epoch of the writer; part of every staged name, so that two writers of
   *     one path never share a part
   */
  StagingHandle begin(LakePath path, long writerEpoch);

  /** Opens the object named by {@link #begin} for writing. */
  StagedFile open(LakePath path, StagingHandle handle);

  /**
   * Makes a staged object visible under its path, atomically. Never replaces another object. If the
   * staged object is gone it looks for the published one first.
   */
  PublishOutcome publish(LakePath path, StagingHandle handle);

  /**
   * Removes a staged object that was never published, at any stage of its life, or does nothing.
   */
  void discard(LakePath path, StagingHandle handle);

  /** Takes a published object out of every {@code *.parquet} glob at once, keeping its bytes. */
  void retire(LakePath path);

  /** Removes a published or retired object, or does nothing. */
  void delete(LakePath path);

  /** Whether the object is visible under its path. */
  boolean exists(LakePath path);

  /**
   * Writes, publishes and deletes a small object under the base.
   *
   * @throws StorageException naming the location, the step that failed and what to do
   */
  void verifyWritable();

  /** The base of the lake as people read it, without secrets. */
  String location();

  @Override
  void close();
}
