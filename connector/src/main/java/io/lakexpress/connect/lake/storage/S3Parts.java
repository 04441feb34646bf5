package io.lakexpress.connect.lake.storage;

import io.lakexpress.connect.lake.file.StagingHandle;
import java.util.List;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The parts of one multipart upload.
 *
 * @param text the object as people read it
 */
record S3Parts(S3Client client, String bucket, String key, String text, S3Handle handle)
    implements StagedParts {

  @Override
  public String upload(int number, byte[] bytes, int length) {
    try {
      return client
          .uploadPart(
              request ->
                  request.bucket(bucket).key(key).uploadId(handle.uploadId()).partNumber(number),
              RequestBody.fromContentProvider(
                  () -> new java.io.ByteArrayInputStream(bytes, 0, length),
                  length,
                  "application/octet-stream"))
          .eTag();
    } catch (SdkException failure) {
      throw S3Failure.of("Cannot write part " + number + " of " + text, failure);
    }
  }

  @Override
  public void discard() {
    try {
      client.abortMultipartUpload(
          request -> request.bucket(bucket).key(key).uploadId(handle.uploadId()));
    } catch (SdkException failure) {
      if (!S3Failure.isMissing(failure)) {
        throw S3Failure.of("Cannot discard " + text, failure);
      }
    }
  }

  /** The parts are durable as they are. */
  @Override
  public StagingHandle stage(List<String> tags, long length) {
    return handle.staged(tags).toHandle();
  }
}
