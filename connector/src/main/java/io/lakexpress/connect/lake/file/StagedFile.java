package io.lakexpress.connect.lake.file;

/**
 * One object being staged: what is written stays invisible to every reader of the lake until {@link
 * LakeStorage#publish}. Exactly one of {@link #stage} and {@link #discard} ends it. Owned by one
 * thread.
 */
public interface StagedFile extends FileOutput {
  /**
   * Makes everything written durable, still invisible.
   *
   * @return the handle with everything that publishing needs; it replaces the handle of {@link
   *     LakeStorage#begin} in the ledger
   * @throws StorageException if the store did not confirm; the file can then only be discarded
   */
  StagingHandle stage();

  /**
   * Forgets the object as if it had never been written. Idempotent; never throws for a store that
   * is down.
   */
  void discard();

  /** Heap bytes this object holds for parts that are not yet with the store. */
  long bufferedBytes();

  /** In how many parts the store took what was staged. */
  default long parts() {
    return 1;
  }
}
