package io.lakexpress.connect.lake.finish;

/** Shows a person what only a person can mend. */
@FunctionalInterface
public interface Alarm {
  void raise(String message, Exception cause);
}
