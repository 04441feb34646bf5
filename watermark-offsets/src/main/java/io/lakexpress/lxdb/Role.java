package io.lakexpress.lxdb;

import java.util.Locale;

/** The two sides of a sync; each has one live connector at a time. */
public enum Role {
  SOURCE,
  LAKE;

  /** The word kept in the LakeXpress DB. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
