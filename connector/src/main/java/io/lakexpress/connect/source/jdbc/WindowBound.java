package io.lakexpress.connect.source.jdbc;

import io.lakexpress.connect.source.jdbc.WatermarkForm.Rounding;
import io.lakexpress.watermark.WatermarkValue;
import io.lakexpress.watermark.Window;
import java.util.Optional;

/**
 * One end of a window as a comparison with the watermark column.
 *
 * @param rounding which way a value finer than the column's own steps is moved, so that the
 *     comparison takes the same rows
 */
record WindowBound(String operator, WatermarkValue value, Rounding rounding) {

  /** Where the window begins; empty for one that is open below. */
  static Optional<WindowBound> lower(Window window) {
    return window
        .lower()
        .map(
            value ->
                switch (window.direction()) {
                  case INCLUSIVE -> new WindowBound(">", value, Rounding.DOWN);
                  case EXCLUSIVE -> new WindowBound(">=", value, Rounding.UP);
                });
  }

  /** Where the window ends. */
  static WindowBound upper(Window window) {
    return switch (window.direction()) {
      case INCLUSIVE -> new WindowBound("<=", window.upper(), Rounding.DOWN);
      case EXCLUSIVE -> new WindowBound("<", window.upper(), Rounding.UP);
    };
  }
}
