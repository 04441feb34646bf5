package io.lakexpress.connect.source;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/** What the source writes into the log while this is open, from INFO on: "LEVEL text". */
final class RecordedLog implements AutoCloseable {
  private static final String SOURCE = "io.lakexpress.connect.source";

  private final Level before = LogManager.getLogger(SOURCE).getLevel();
  private final LoggerConfig root =
      LoggerContext.getContext(false).getConfiguration().getRootLogger();
  private final Lines lines = new Lines();

  private static final class Lines extends AbstractAppender {
    private final List<String> all = new CopyOnWriteArrayList<>();

    private Lines() {
      super("recorded", null, null, false, Property.EMPTY_ARRAY);
    }

    @Override
    public void append(LogEvent event) {
      if (event.getLoggerName().startsWith(SOURCE)) {
        all.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
      }
    }
  }

  RecordedLog() {
    lines.start();
    root.addAppender(lines, null, null);
    Configurator.setLevel(SOURCE, Level.INFO);
  }

  List<String> lines() {
    return List.copyOf(lines.all);
  }

  @Override
  public void close() {
    Configurator.setLevel(SOURCE, before);
    root.removeAppender(lines.getName());
    lines.stop();
  }
}
