package io.lakexpress.connect;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Figures over JMX. Never fails for want of a metric: nobody stops copying rows for that.
 * Thread-safe.
 */
public final class FigureBeans {
  private static final Logger LOG = LoggerFactory.getLogger(FigureBeans.class);
  private static final String DOMAIN = "io.lakexpress";
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  private FigureBeans() {}

  /** The name of an MBean about a sync. */
  public static ObjectName nameOf(String type, String syncId) {
    return name(type, syncId, "");
  }

  /** The name of an MBean about one thing of a sync. */
  public static ObjectName nameOf(String type, String syncId, String key, String value) {
    return name(type, syncId, "," + key + "=" + ObjectName.quote(value));
  }

  private static ObjectName name(String type, String syncId, String more) {
    try {
      return new ObjectName(DOMAIN + ":type=" + type + ",sync=" + ObjectName.quote(syncId) + more);
    } catch (JMException e) {
      throw new IllegalStateException("Cannot name an MBean of sync " + syncId, e);
    }
  }

  /** Shows figures under a name, unless something is shown there. */
  public static <T> void show(
      ObjectName name, String description, List<Figure<T>> figures, Supplier<T> source) {
    try {
      if (!SERVER.isRegistered(name)) {
        SERVER.registerMBean(new FiguresBean<>(description, figures, source), name);
      }
    } catch (JMException e) {
      LOG.warn("MBean {} is not shown: {}", name, e.toString());
    }
  }

  /** Shows nothing under a name any more. */
  public static void hide(ObjectName name) {
    try {
      if (SERVER.isRegistered(name)) {
        SERVER.unregisterMBean(name);
      }
    } catch (JMException e) {
      LOG.debug("MBean {} stays", name, e);
    }
  }
}
