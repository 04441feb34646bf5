package io.lakexpress.connect.source.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads the watermark of a row raw: the text a cursor keeps of it, with every digit. */
interface WatermarkReader {
  /** The text of a row's watermark, which is not NULL. */
  String read(ResultSet rows, int index) throws SQLException;
}
