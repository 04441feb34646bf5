package io.lakexpress.lxdb.jdbc;

import io.lakexpress.lxdb.LakexpressDbException;
import io.lakexpress.lxdb.LakexpressDbException.Kind;

/** What the books refuse to do because of the state they find. */
final class Refusals {
  private Refusals() {}

  static LakexpressDbException cannot(String deed, String reason) {
    return new LakexpressDbException("Cannot " + deed + ": " + reason, null, Kind.LASTING);
  }
}
