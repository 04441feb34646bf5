package io.lakexpress.lxdb.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** How a flavour keeps an instant; microseconds in all of them. */
enum TimestampForm {
  /** A type that knows its zone. */
  WITH_ZONE {
    @Override
    void bind(PreparedStatement statement, int index, Instant value) throws SQLException {
      statement.setObject(index, value.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC));
    }

    @Override
    Instant read(ResultSet rows, String column) throws SQLException {
      OffsetDateTime value = rows.getObject(column, OffsetDateTime.class);
      return value == null ? null : value.toInstant();
    }
  },

  /** A type without zone, always filled with UTC. */
  WITHOUT_ZONE {
    @Override
    void bind(PreparedStatement statement, int index, Instant value) throws SQLException {
      statement.setObject(
          index, LocalDateTime.ofInstant(value.truncatedTo(ChronoUnit.MICROS), ZoneOffset.UTC));
    }

    @Override
    Instant read(ResultSet rows, String column) throws SQLException {
      LocalDateTime value = rows.getObject(column, LocalDateTime.class);
      return value == null ? null : value.toInstant(ZoneOffset.UTC);
    }
  },

  /** ISO text of one width, so that text order is time order. */
  TEXT {
    @Override
    void bind(PreparedStatement statement, int index, Instant value) throws SQLException {
      statement.setString(index, ISO_MICROS.format(value));
    }

    @Override
    Instant read(ResultSet rows, String column) throws SQLException {
      String value = rows.getString(column);
      return value == null ? null : Instant.parse(value);
    }
  };

  private static final DateTimeFormatter ISO_MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  abstract void bind(PreparedStatement statement, int index, Instant value) throws SQLException;

  abstract Instant read(ResultSet rows, String column) throws SQLException;
}
