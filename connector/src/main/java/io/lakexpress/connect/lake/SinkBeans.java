package io.lakexpress.connect.lake;

import io.lakexpress.connect.FigureBeans;
import io.lakexpress.connect.lake.file.LakeWriter;
import io.lakexpress.connect.lake.file.WriterFigures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.ObjectName;

/**
 * The MBean of a sync's lake writers, of which a JVM has one, whichever tasks of the sink run in
 * it; what tasks that are gone have counted stays in. Gone with the last task. Thread-safe.
 */
final class SinkBeans {
  private static final Map<String, SinkBeans> OF_SYNCS = new HashMap<>();

  private final List<LakeWriter> writers = new ArrayList<>();
  private WriterFigures gone = WriterFigures.NONE;

  private SinkBeans() {}

  /** The name of the MBean that tells about the tasks of a sync's sink. */
  static ObjectName ofWriters(String syncId) {
    return FigureBeans.nameOf("lake-writers", syncId);
  }

  /** The name of the MBean that tells about a sync's finisher. */
  static ObjectName ofFinisher(String syncId) {
    return FigureBeans.nameOf("lake-finisher", syncId);
  }

  /** A task begins. */
  static void add(String syncId, LakeWriter writer) {
    synchronized (OF_SYNCS) {
      SinkBeans beans = OF_SYNCS.computeIfAbsent(syncId, id -> new SinkBeans());
      beans.add(writer);
      FigureBeans.show(
          ofWriters(syncId),
          "The tasks of a sync's lake sink",
          SinkFigures.OF_WRITERS,
          beans::figures);
    }
  }

  /** A task ends. */
  static void remove(String syncId, LakeWriter writer) {
    synchronized (OF_SYNCS) {
      SinkBeans beans = OF_SYNCS.get(syncId);
      if (beans != null && beans.remove(writer)) {
        OF_SYNCS.remove(syncId);
        FigureBeans.hide(ofWriters(syncId));
      }
    }
  }

  private synchronized void add(LakeWriter writer) {
    writers.add(writer);
  }

  /** Whether it was the last task. */
  private synchronized boolean remove(LakeWriter writer) {
    if (writers.remove(writer)) {
      gone = WriterFigures.together(List.of(gone, writer.figures().counts()));
    }
    return writers.isEmpty();
  }

  private synchronized WriterFigures figures() {
    return WriterFigures.together(
        Stream.concat(Stream.of(gone), writers.stream().map(LakeWriter::figures)).toList());
  }
}
