package io.lakexpress.connect.source;

import io.lakexpress.watermark.TableId;
import java.lang.management.ManagementFactory;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The source's MBeans, as a monitoring tool sees them. */
final class Beans {
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  private Beans() {}

  static Object ofTable(String syncId, String table, String attribute) {
    return read(SourceBeans.nameOf(syncId, TableId.parse(table)), attribute);
  }

  static Object ofSync(String syncId, String attribute) {
    return read(SourceBeans.nameOf(syncId), attribute);
  }

  /** An attribute, or null while there is no such MBean. */
  private static Object read(ObjectName name, String attribute) {
    try {
      return SERVER.isRegistered(name) ? SERVER.getAttribute(name, attribute) : null;
    } catch (JMException e) {
      throw new IllegalStateException("Cannot read " + attribute + " of " + name, e);
    }
  }

  static Set<ObjectName> all() {
    try {
      return SERVER.queryNames(new ObjectName("io.lakexpress:*"), null);
    } catch (JMException e) {
      throw new IllegalStateException("Cannot list MBeans", e);
    }
  }
}
