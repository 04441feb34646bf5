package io.lakexpress.connect;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/** What a package logged while this was open, as lines of level and message. */
public final class LogLines implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final LoggerContext context = LoggerContext.getContext(false);
  private final String logger;

  private LogLines(String logger) {
    this.logger = logger;
  }

  /** Listens to a package, from INFO on. */
  public static LogLines of(String logger) {
    LogLines log = new LogLines(logger);
    log.listen();
    return log;
  }

  private void listen() {
    Collector collector = new Collector(logger, lines);
    collector.start();
    LoggerConfig config = new LoggerConfig(logger, Level.INFO, false);
    config.addAppender(collector, Level.INFO, null);
    context.getConfiguration().addLogger(logger, config);
    context.updateLoggers();
  }

  /** The warnings so far, each without its level. */
  public List<String> warnings() {
    return lines.stream()
        .filter(line -> line.startsWith("WARN "))
        .map(line -> line.substring("WARN ".length()))
        .toList();
  }

  /** All lines so far, for example {@code "INFO Table …"}. */
  public List<String> all() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    context.getConfiguration().removeLogger(logger);
    context.updateLoggers();
  }

  private static final class Collector extends AbstractAppender {
    private final List<String> lines;

    private Collector(String name, List<String> lines) {
      super(name, null, null, false, Property.EMPTY_ARRAY);
      this.lines = lines;
    }

    @Override
    public void append(LogEvent event) {
      lines.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
    }
  }
}
