package io.lakexpress.connect.lake.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Where the files of the lake stand and what they are called. Schemas and tables become folders;
 * two different names never share a folder, and no name leaves the base.
 *
 * <p>A folder keeps the name as it is, but for characters that a store, a glob or Spark would
 * misread: those are percent-encoded (as UTF-8, upper-case digits). A folder longer than {@value
 * #MAX_FOLDER_BYTES} bytes is cut and ends with a hash of the whole name, since file systems stop
 * at 255 bytes.
 */
public final class LakeLayout {
  private static final int MAX_FOLDER_BYTES = 200;
  private static final int HASH_BYTES = 8;
  private static final String UNSAFE = "/\\:*?\"<>|%=[]{}";
  private static final String FOLDER_OF_PLAIN_TOPICS = "default";
  private static final Pattern JOB_ID = Pattern.compile("j-([A-Za-z0-9]+)");
  private static final int JOB_CHARACTERS = 8;
  private static final DateTimeFormatter RUN_START =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final String prefix;

  private LakeLayout(String prefix) {
    this.prefix = prefix;
  }

  /**
   * The layout below a sub path such as {@code raw/erp}; an empty one means the base itself.
   *
   * @throws IllegalArgumentException if the sub path has empty, {@code .} or {@code ..} folders or
   *     control characters or backslashes
   */
  public static LakeLayout below(String subPath) {
    String trimmed = subPath.strip().replaceAll("^/+|/+$", "");
    if (trimmed.isEmpty()) {
      return new LakeLayout("");
    }
    boolean unsafe = trimmed.chars().anyMatch(c -> c == '\\' || Character.isISOControl(c));
    if (unsafe) {
      throw new IllegalArgumentException(
          "Invalid sub path: expected folders separated by '/', without backslash or control"
              + " character");
    }
    return new LakeLayout(new LakePath(trimmed).value() + "/");
  }

  /**
   * A file with rows of one job.
   *
   * @param jobId of the form {@code j-<letters and digits>}
   */
  public LakePath jobFile(
      String schema,
      String table,
      Instant runStart,
      String jobId,
      int topicPartition,
      long firstOffset) {
    var job = JOB_ID.matcher(jobId);
    if (!job.matches()) {
      throw new IllegalArgumentException(
          "Invalid job id '" + jobId + "': expected j-<letters and digits>");
    }
    String characters = job.group(1);
    String shortJob = characters.substring(0, Math.min(JOB_CHARACTERS, characters.length()));
    return file(
        tableFolder(schema, table),
        RUN_START.format(runStart) + "-" + shortJob,
        topicPartition,
        firstOffset);
  }

  /**
   * A file with rows of a topic that did not come from our source: {@code a.b.c} stands in {@code
   * a.b/c}, a name without a dot in {@code default/<topic>}.
   *
   * @param incarnation counts how often the topic was created anew
   */
  public LakePath foreignFile(
      String topic, long incarnation, int topicPartition, long firstOffset) {
    int dot = topic.lastIndexOf('.');
    boolean split = dot > 0 && dot < topic.length() - 1;
    String folder =
        split
            ? tableFolder(topic.substring(0, dot), topic.substring(dot + 1))
            : tableFolder(FOLDER_OF_PLAIN_TOPICS, topic);
    return file(folder, Long.toString(incarnation), topicPartition, firstOffset);
  }

  /** The folder of a table below the base, without a slash at its end. */
  public String tableFolder(String schema, String table) {
    return prefix + folder(schema) + "/" + folder(table);
  }

  private static LakePath file(String folder, String writer, int topicPartition, long firstOffset) {
    return new LakePath(
        String.format(
            Locale.ROOT,
            "%s/part-%s-%d-%012d.parquet",
            folder,
            writer,
            topicPartition,
            firstOffset));
  }

  static String folder(String name) {
    StringBuilder folder = new StringBuilder();
    for (int i = 0; i < name.length(); ) {
      int point = name.codePointAt(i);
      int next = i + Character.charCount(point);
      boolean first = i == 0;
      boolean last = next == name.length();
      if (unsafe(point)
          || (first && (point == '.' || point == '_'))
          || ((first || last) && point == ' ')
          || (last && point == '.')) {
        encode(folder, point);
      } else {
        folder.appendCodePoint(point);
      }
      i = next;
    }
    String whole = folder.toString();
    return whole.getBytes(UTF_8).length <= MAX_FOLDER_BYTES ? whole : cut(whole);
  }

  private static boolean unsafe(int point) {
    return UNSAFE.indexOf(point) >= 0
        || Character.isISOControl(point)
        || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
  }

  private static void encode(StringBuilder folder, int point) {
    if (point < 0x80) {
      appendByte(folder, point);
    } else if (point < 0x800) {
      appendByte(folder, 0xC0 | point >> 6);
      appendByte(folder, 0x80 | (point & 0x3F));
    } else {
      // Only halves of surrogate pairs come here; they have no UTF-8 form of their own.
      appendByte(folder, 0xE0 | point >> 12);
      appendByte(folder, 0x80 | (point >> 6 & 0x3F));
      appendByte(folder, 0x80 | (point & 0x3F));
    }
  }

  private static void appendByte(StringBuilder folder, int value) {
    folder.append('%').append(HexFormat.of().withUpperCase().toHexDigits((byte) value));
  }

  /** Never cuts a character or a percent sign from its digits. */
  private static String cut(String folder) {
    int room = MAX_FOLDER_BYTES - 1 - 2 * HASH_BYTES;
    int end = 0;
    int bytes = 0;
    while (end < folder.length()) {
      int point = folder.codePointAt(end);
      int characters = point == '%' ? 3 : Character.charCount(point);
      int size = folder.substring(end, end + characters).getBytes(UTF_8).length;
      if (bytes + size > room) {
        break;
      }
      bytes += size;
      end += characters;
    }
    return folder.substring(0, end) + "~" + hash(folder);
  }

  private static String hash(String text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().toHexDigits(ByteBuffer.wrap(digest).getLong());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java runtime has SHA-256", impossible);
    }
  }
}
