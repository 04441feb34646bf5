package io.lakexpress.connect.lake.storage;

import io.lakexpress.connect.lake.file.LakeStorage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** An S3 server of this JVM (s3proxy, which checks signatures), with a new bucket each time. */
public final class TestingS3 implements AutoCloseable {
  private static final String ID = "test-id";
  private static final String SECRET = "test-secret";

  private final S3Proxy server;
  private final String bucket = "lake-" + UUID.randomUUID();

  public TestingS3() {
    try {
      server =
          S3Proxy.builder()
              .blobStore(new TransientNio2BlobStore())
              .endpoint(URI.create("http://127.0.0.1:0"))
              .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, ID, SECRET)
              .build();
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("Cannot start the S3 server", e);
    }
    try (S3Client client = client()) {
      client.createBucket(request -> request.bucket(bucket));
    }
  }

  /** A lake below a prefix of the bucket. */
  public LakeStorage storage(String prefix, int partBytes) {
    return new S3Storage(bucket, prefix, access(), partBytes, S3Clients.Patience.USUAL);
  }

  /** Copies what is below a prefix, open uploads as hidden files. */
  public void download(String prefix, Path folder) throws IOException {
    try (S3Client client = client()) {
      List<String> keys =
          client
              .listObjectsV2Paginator(request -> request.bucket(bucket).prefix(prefix + "/"))
              .contents()
              .stream()
              .map(S3Object::key)
              .toList();
      for (String key : keys) {
        byte[] content =
            client.getObjectAsBytes(request -> request.bucket(bucket).key(key)).asByteArray();
        write(folder.resolve(key.substring(prefix.length() + 1)), content);
      }
    }
    for (String upload : uploads()) {
      if (upload.startsWith(prefix + "/")) {
        write(folder.resolve(".upload-of-" + upload.replace('/', '-')), new byte[0]);
      }
    }
  }

  private static void write(Path file, byte[] content) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  S3Access access() {
    return access(SECRET);
  }

  S3Access access(String secret) {
    return new S3Access(
        "eu-central-1",
        "http://127.0.0.1:" + server.getPort(),
        S3Access.Addressing.PATH,
        null,
        ID,
        new Secret(secret),
        null,
        S3Access.Encryption.bucketDefault(),
        S3Access.Compatibility.PLAIN);
  }

  String bucket() {
    return bucket;
  }

  S3Client client() {
    return S3Clients.of(access(), S3Clients.Patience.USUAL);
  }

  /** The keys of all objects. */
  List<String> objects() {
    try (S3Client client = client()) {
      return client.listObjectsV2Paginator(request -> request.bucket(bucket)).contents().stream()
          .map(object -> object.key())
          .sorted()
          .toList();
    }
  }

  /** The keys of all uploads that are neither completed nor aborted. */
  List<String> uploads() {
    try (S3Client client = client()) {
      List<String> keys = new ArrayList<>();
      client
          .listMultipartUploads(request -> request.bucket(bucket))
          .uploads()
          .forEach(upload -> keys.add(upload.key()));
      return keys;
    }
  }

  byte[] read(String key) {
    try (S3Client client = client()) {
      return client.getObjectAsBytes(request -> request.bucket(bucket).key(key)).asByteArray();
    }
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("Cannot stop the S3 server", e);
    }
  }
}
