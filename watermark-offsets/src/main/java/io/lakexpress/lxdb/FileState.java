package io.lakexpress.lxdb;

import java.util.Locale;

/** What is known of one file of the lake. */
public enum FileState {
  /** Registered before its first byte; a crash may have left parts of it. */
  OPEN,
  /** Durable, invisible, its offsets are behind the ledger's position. */
  STAGED,
  /** Part of the lake. */
  PUBLISHED,
  /** Replaced by a later export; out of every glob, its bytes may still exist. */
  SUPERSEDED,
  /** Replaced and removed from the store. */
  DELETED,
  /** Never became part of the lake. */
  DISCARDED,
  /** The store lost it; its window has to be exported again. */
  LOST;

  /** The word kept in the LakeXpress DB. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads the word back. */
  public static FileState parse(String text) {
    return Words.parse(values(), FileState::text, "file state", text);
  }
}
