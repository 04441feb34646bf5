package io.lakexpress.connect;

/** Takes what is wrong with a configuration, each problem on its own key. */
public interface KeyProblems {
  /** Notes a problem on a key; the same one only once. */
  void refuse(String key, String message);
}
