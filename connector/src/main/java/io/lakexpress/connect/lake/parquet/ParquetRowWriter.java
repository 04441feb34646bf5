package io.lakexpress.connect.lake.parquet;

import io.lakexpress.connect.lake.file.FileOutput;
import io.lakexpress.connect.lake.file.RowFileWriter;
import io.lakexpress.connect.lake.file.UnwritableRowException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.schema.MessageType;

/** Writes one Parquet file: rows into row groups, row groups to the output when they are full. */
final class ParquetRowWriter implements RowFileWriter {
  private enum State {
    WRITING,
    /** Something was written by half; only discarding is left. */
    BROKEN,
    ENDED
  }

  private final SchemaResolver resolver;
  private final FileOutput output;
  private final StructWriter row;
  private final MessageType columns;
  private final ParquetProperties properties;
  private final PageCompressor compressor;
  private final long rowGroupBytes;
  private final ParquetFileWriter file;
  private final Schema schema;
  private Schema acceptedSchema;
  private RowGroup group;
  private State state = State.WRITING;

  ParquetRowWriter(
      SchemaResolver resolver,
      Schema schema,
      FileOutput output,
      ParquetProperties properties,
      PageCompressor compressor,
      long rowGroupBytes) {
    this.resolver = resolver;
    this.schema = schema;
    this.acceptedSchema = schema;
    this.output = output;
    this.row = resolver.row(schema);
    this.columns = row.message();
    this.properties = properties;
    this.compressor = compressor;
    this.rowGroupBytes = rowGroupBytes;
    try {
      this.file =
          new ParquetFileWriter(
              PositionedOutput.asFile(output),
              columns,
              ParquetFileWriter.Mode.CREATE,
              rowGroupBytes,
              0,
              null,
              properties);
      file.start();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void write(Struct value) {
    requireWriting();
    requireSchema(value.schema());
    row.checkPresent(value);
    state = State.BROKEN;
    if (group == null) {
      group = new RowGroup(row, columns, properties, compressor);
    }
    group.write(value);
    if (group.encodedBytes() >= rowGroupBytes) {
      flushGroup();
    }
    state = State.WRITING;
  }

  @Override
  public long estimatedBytes() {
    return output.position() + (group == null ? 0 : group.encodedBytes());
  }

  @Override
  public long bufferedBytes() {
    return group == null ? 0 : group.heapBytes();
  }

  @Override
  public void finish() {
    requireWriting();
    state = State.BROKEN;
    if (group != null) {
      flushGroup();
    }
    try {
      file.end(Map.copyOf(properties.getExtraMetaData()));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    end();
  }

  @Override
  public void discard() {
    if (state != State.ENDED) {
      file.abort();
      end();
    }
  }

  private void flushGroup() {
    try {
      group.writeTo(file);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    group.free();
    group = null;
  }

  private void end() {
    state = State.ENDED;
    if (group != null) {
      group.free();
      group = null;
    }
    compressor.release();
  }

  private void requireWriting() {
    switch (state) {
      case WRITING -> {}
      case BROKEN ->
          throw new IllegalStateException(
              "Cannot go on with the file: an earlier failure left it written by half");
      case ENDED ->
          throw new IllegalStateException("Cannot go on with the file: it has been ended");
    }
  }

  private void requireSchema(Schema next) {
    if (next != acceptedSchema) {
      if (!resolver.sameColumns(schema, next)) {
        throw new UnwritableRowException(
            "Cannot write a row of schema '"
                + next.name()
                + "': its columns differ from those the file was opened with");
      }
      acceptedSchema = next;
    }
  }
}
