package io.lakexpress.connect.source.jdbc.tds;

import java.util.List;

/**
 * A statement that a client sent.
 *
 * @param procedure {@code batch}, or the procedure that carried it, like {@code sp_executesql}
 * @param sql its text; for the execution of a prepared statement the text it was prepared with
 * @param declaration how the driver declared the parameters, or empty
 */
public record TdsStatement(
    String procedure, String sql, String declaration, List<TdsParameter> parameters) {
  public TdsStatement {
    parameters = List.copyOf(parameters);
  }

  /** The type and value of a parameter, counted from 0. */
  public TdsParameter parameter(int index) {
    return parameters.get(index);
  }
}
