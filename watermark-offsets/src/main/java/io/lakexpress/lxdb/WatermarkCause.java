package io.lakexpress.lxdb;

/** Why a watermark moved. */
public enum WatermarkCause {
  RUN("run"),
  OFFSETS_API("offsets-api"),
  CLI("cli"),
  ADOPTED("adopted");

  private final String text;

  WatermarkCause(String text) {
    this.text = text;
  }

  /** The word kept in the LakeXpress DB. */
  public String text() {
    return text;
  }

  /** Reads the word back. */
  public static WatermarkCause parse(String text) {
    return Words.parse(values(), WatermarkCause::text, "watermark cause", text);
  }
}
