package io.lakexpress.lxdb.jdbc;

import java.sql.SQLException;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/** Takes the tables as they are, whatever their version, even if there are none. */
final class UncheckedSchema extends Schema {
  UncheckedSchema(Flavour flavour) {
    super(flavour);
  }

  @Override
  void bring(DataSource source, BooleanSupplier isUnwanted) throws SQLException {
    probe(source);
  }
}
