package io.lakexpress.connect.lake.storage;

import com.azure.core.util.Context;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import com.azure.storage.blob.options.BlobCopyFromUrlOptions;
import com.azure.storage.blob.options.BlockBlobCommitBlockListOptions;
import com.azure.storage.blob.options.BlockBlobStageBlockFromUrlOptions;
import com.azure.storage.blob.specialized.BlockBlobClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * One blob.
 *
 * @param text the blob as people read it
 */
record AzureBlob(AzureConnection connection, String name, String text) {
  /** Metadata that tells whose blob it is. */
  static final String MARK = "lakexpress_upload";

  /** Sends a request about this blob. */
  <T> T ask(String verb, Function<BlockBlobClient, T> request) {
    try {
      return request.apply(connection.blob(name));
    } catch (RuntimeException failure) {
      throw connection.failure("Cannot " + verb + " " + text, failure);
    }
  }

  void delete(String verb) {
    ask(
        verb,
        client ->
            client.deleteIfExistsWithResponse(
                DeleteSnapshotsOptionType.INCLUDE, null, null, Context.NONE));
  }

  /** What the account knows of it; empty if it is not there. */
  Optional<BlobProperties> look(String verb) {
    return ask(
        verb,
        client -> {
          try {
            return Optional.of(client.getProperties());
          } catch (RuntimeException failure) {
            if (AzureFailure.isMissing(failure)) {
              return Optional.empty();
            }
            throw failure;
          }
        });
  }

  /**
   * Makes this blob a copy of another one of the container, at once and whole, unless something has
   * its name. The account does the copying; the bytes never leave it.
   *
   * @param length of the other one
   * @param largestAtOnce the longest that one request copies, and the length of a block otherwise
   * @throws RuntimeException the SDK's, since what it means depends on who asks
   */
  void copyOf(AzureBlob other, long length, long largestAtOnce, Map<String, String> metadata) {
    BlockBlobClient target = connection.blob(name);
    AzureConnection.Source source = connection.source(connection.blob(other.name));
    BlobRequestConditions ifFree = new BlobRequestConditions().setIfNoneMatch("*");
    if (length <= largestAtOnce) {
      target.copyFromUrlWithResponse(
          new BlobCopyFromUrlOptions(source.url())
              .setMetadata(metadata)
              .setSourceAuthorization(source.authorization())
              .setDestinationRequestConditions(ifFree),
          null,
          Context.NONE);
      return;
    }
    List<String> ids = new ArrayList<>();
    for (long from = 0; from < length; from += largestAtOnce) {
      String id = AzureParts.blockId(ids.size() + 1);
      target.stageBlockFromUrlWithResponse(
          new BlockBlobStageBlockFromUrlOptions(id, source.url())
              .setSourceRange(new BlobRange(from, Math.min(largestAtOnce, length - from)))
              .setSourceAuthorization(source.authorization()),
          null,
          Context.NONE);
      ids.add(id);
    }
    target.commitBlockListWithResponse(
        new BlockBlobCommitBlockListOptions(ids)
            .setHeaders(new BlobHttpHeaders().setContentType(AzureParts.CONTENT_TYPE))
            .setMetadata(metadata)
            .setRequestConditions(ifFree),
        null,
        Context.NONE);
  }
}
