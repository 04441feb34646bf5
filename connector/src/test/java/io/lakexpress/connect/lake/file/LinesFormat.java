package io.lakexpress.connect.lake.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/** Files with the field {@code id} of each row on a line; a negative id cannot be written. */
public final class LinesFormat implements RowFileFormat {
  @Override
  public RowFileWriter open(Schema schema, FileOutput output) {
    if (schema.field("id") == null) {
      throw new UnwritableRowException("Cannot write rows without a field 'id'");
    }
    return new Lines(output);
  }

  @Override
  public List<String> columnTypes(Schema schema) {
    return schema.fields().stream().map(field -> "a line").toList();
  }

  @Override
  public boolean accepts(Schema open, Schema next) {
    return open.fields().equals(next.fields());
  }

  private static final class Lines implements RowFileWriter {
    private final FileOutput output;
    private long bytes;

    Lines(FileOutput output) {
      this.output = output;
    }

    @Override
    public void write(Struct row) {
      long id = row.getInt64("id");
      if (id < 0) {
        throw new UnwritableRowException("Cannot write field 'id': " + id + " is negative");
      }
      byte[] line = (id + "\n").getBytes(UTF_8);
      output.write(line, 0, line.length);
      bytes += line.length;
    }

    @Override
    public long estimatedBytes() {
      return bytes;
    }

    @Override
    public long bufferedBytes() {
      return bytes;
    }

    @Override
    public void finish() {}

    @Override
    public void discard() {}
  }
}
