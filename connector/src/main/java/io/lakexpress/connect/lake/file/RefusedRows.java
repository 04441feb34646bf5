package io.lakexpress.connect.lake.file;

import java.util.Optional;
import java.util.concurrent.Future;

/** Where rows go that no file can hold: the dead letter queue, if there is one. */
public interface RefusedRows {
  /**
   * Hands a record over.
   *
   * @return ends when the record is safe there; empty if there is nowhere to hand it to
   */
  Optional<Future<?>> refuse(LakeRecord record, RuntimeException reason);
}
