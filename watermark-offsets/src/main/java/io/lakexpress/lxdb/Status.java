package io.lakexpress.lxdb;

import java.util.Locale;

/**
 * How far a run or a job has come: {@code running → delivered → landed → published}, or {@code
 * failed}.
 */
public enum Status {
  /** Opened; rows may still be on their way to Kafka. */
  RUNNING,
  /** Kafka has acknowledged every record and the watermark has moved. */
  DELIVERED,
  /** The files are part of the lake. */
  LANDED,
  /** The publish target has taken the files. */
  PUBLISHED,
  /** Closed with an error; a failed job may still become delivered later. */
  FAILED;

  /** The word kept in the LakeXpress DB. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads the word back. */
  public static Status parse(String text) {
    return Words.parse(values(), Status::text, "status", text);
  }
}
