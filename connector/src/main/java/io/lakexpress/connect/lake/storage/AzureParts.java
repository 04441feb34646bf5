package io.lakexpress.connect.lake.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.options.BlockBlobCommitBlockListOptions;
import com.azure.storage.blob.options.BlockBlobStageBlockOptions;
import io.lakexpress.connect.lake.file.StagingHandle;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** The blocks of one hidden blob. */
record AzureParts(AzureBlob blob, AzureHandle handle) implements StagedParts {
  static final String CONTENT_TYPE = "application/vnd.apache.parquet";

  /** Azure wants the ids of a blob's blocks to be of one length. */
  static String blockId(int number) {
    return Base64.getEncoder().encodeToString(String.format("%08d", number).getBytes(UTF_8));
  }

  @Override
  public String upload(int number, byte[] bytes, int length) {
    if (length == 0) {
      // Azure takes no empty block; the list of an empty blob's blocks is empty.
      return "";
    }
    String id = blockId(number);
    BinaryData data = BinaryData.fromByteBuffer(ByteBuffer.wrap(bytes, 0, length));
    return blob.ask(
        "write block " + number + " of",
        client -> {
          client.stageBlockWithResponse(
              new BlockBlobStageBlockOptions(id, data), null, Context.NONE);
          return id;
        });
  }

  /** Commits the blocks under the hidden name: left uncommitted, Azure drops them after a week. */
  @Override
  public StagingHandle stage(List<String> tags, long length) {
    List<String> ids = tags.stream().filter(id -> !id.isEmpty()).toList();
    blob.ask(
        "stage",
        client ->
            client.commitBlockListWithResponse(
                new BlockBlobCommitBlockListOptions(ids)
                    .setHeaders(new BlobHttpHeaders().setContentType(CONTENT_TYPE))
                    .setMetadata(Map.of(AzureBlob.MARK, handle.mark())),
                null,
                Context.NONE));
    return handle.staged(length).toHandle();
  }

  /**
   * Deletes the hidden blob. Uncommitted blocks cannot be deleted; committing an empty list over
   * them frees them, and since the name is hidden no reader sees what is there for a moment.
   */
  @Override
  public void discard() {
    if (handle.length().isEmpty()) {
      blob.ask("discard", client -> client.commitBlockList(List.of(), true));
    }
    blob.delete("discard");
  }

  @Override
  public String text() {
    return blob.text();
  }
}
