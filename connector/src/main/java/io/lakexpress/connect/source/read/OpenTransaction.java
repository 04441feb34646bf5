package io.lakexpress.connect.source.read;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A transaction that is open in the source database.
 *
 * @param names what it can be recognised by while it is open; it keeps the names it has, and may
 *     get more. No other transaction of the same {@link Activity.Seen#place} ever had one of them
 *     while this one was open
 * @param began when it began, by the database's clock; null if that may not be seen
 * @param who whose it is, for people, in one line
 */
public record OpenTransaction(Set<String> names, Instant began, Work work, String who) {
  public OpenTransaction {
    names = Set.copyOf(names);
    Objects.requireNonNull(work, "work");
    Objects.requireNonNull(who, "who");
  }

  /** What a transaction has done so far. */
  public enum Work {
    /** Has written, or cannot be told from one that has. */
    WRITTEN,
    /** Has written and then lost the names it had before, so it may be any earlier one. */
    DETACHED,
    /** Has only read, and may still write. */
    READ,
    /** Is a reader of LakeXpress Connect, which never writes. */
    OURS
  }

  Optional<Instant> beginning() {
    return Optional.ofNullable(began);
  }
}
