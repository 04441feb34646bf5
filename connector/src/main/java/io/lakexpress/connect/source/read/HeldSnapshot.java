package io.lakexpress.connect.source.read;

/**
 * A state of the database that other connections can read as long as this is open. Holds a
 * connection and a transaction of its own.
 */
public interface HeldSnapshot extends AutoCloseable {
  /** What the database names it. */
  String name();

  /** Lets it go; does not fail. */
  @Override
  void close();
}
