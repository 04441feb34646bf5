package io.lakexpress.connect.lake.storage;

import java.util.List;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The parts of one multipart upload.
 *
 * @param text the object as people read it
 */
record S3Parts(S3Client client, String bucket, String key, String text, S3Handle handle) {

  /** Uploads a part and returns its tag; a part of the same number is replaced. */
  String upload(int number, byte[] bytes, int length) {
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

  /** Ends the upload, if it is not published; what it holds is freed. */
  void abort() {
    try {
      client.abortMultipartUpload(
          request -> request.bucket(bucket).key(key).uploadId(handle.uploadId()));
    } catch (SdkException failure) {
      if (!S3Failure.isMissing(failure)) {
        throw S3Failure.of("Cannot discard " + text, failure);
      }
    }
  }

  S3Handle staged(List<String> tags) {
    return handle.staged(tags);
  }
}
