package io.lakexpress.connect.lake.parquet;

import io.lakexpress.connect.lake.file.FileOutput;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/** Hands Parquet's bytes on to a file output; closing it leaves the output open. */
final class PositionedOutput extends PositionOutputStream {
  private final FileOutput output;
  private final byte[] single = new byte[1];

  private PositionedOutput(FileOutput output) {
    this.output = output;
  }

  /** The output as a file that Parquet creates once. */
  static OutputFile asFile(FileOutput output) {
    return new OutputFile() {
      @Override
      public PositionOutputStream create(long blockSizeHint) {
        return new PositionedOutput(output);
      }

      @Override
      public PositionOutputStream createOrOverwrite(long blockSizeHint) {
        return create(blockSizeHint);
      }

      @Override
      public boolean supportsBlockSize() {
        return false;
      }

      @Override
      public long defaultBlockSize() {
        return 0;
      }
    };
  }

  @Override
  public long getPos() {
    return output.position();
  }

  @Override
  public void write(int value) {
    single[0] = (byte) value;
    output.write(single, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    output.write(bytes, offset, length);
  }
}
