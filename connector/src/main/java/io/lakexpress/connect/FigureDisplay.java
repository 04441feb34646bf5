package io.lakexpress.connect;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Somewhere figures are shown for as long as a task runs. */
public interface FigureDisplay {
  /** Nowhere. */
  FigureDisplay NONE =
      new FigureDisplay() {
        @Override
        public <T> void show(
            List<Figure<T>> figures, Supplier<T> source, Map<String, String> tags) {}
      };

  /** Shows figures under their dashed names. */
  <T> void show(List<Figure<T>> figures, Supplier<T> source, Map<String, String> tags);
}
