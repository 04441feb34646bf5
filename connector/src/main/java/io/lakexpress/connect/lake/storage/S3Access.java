package io.lakexpress.connect.lake.storage;

import java.util.Objects;
import java.util.Optional;

/**
 * How an S3 store is reached; everything may be left out, then the AWS default chain decides.
 *
 * @param region null for the default chain's
 * @param endpoint of a store that speaks S3's protocol; null for AWS itself
 * @param profile of the AWS configuration files; null for the default chain
 * @param accessKeyId null for profile or default chain
 * @param secretAccessKey goes with {@code accessKeyId}
 * @param roleArn a role to assume with these credentials; null for none
 */
public record S3Access(
    String region,
    String endpoint,
    Addressing addressing,
    String profile,
    String accessKeyId,
    Secret secretAccessKey,
    String roleArn,
    Encryption encryption,
    Compatibility compatibility) {

  /** Where a request names the bucket. */
  public enum Addressing {
    /** In the host name. */
    HOST,
    /** In the path, as many other stores expect. */
    PATH
  }

  /** Which of the protocol's newer parts are used. */
  public enum Compatibility {
    /** Checksums of the SDK's choice, chunked payloads. */
    AWS,
    /** Checksums only where the protocol demands them, and payloads in one piece. */
    PLAIN
  }

  /**
   * What the store encrypts objects with.
   *
   * @param kmsKeyId only with {@code AWS_KMS}; null for the account's own key
   */
  public record Encryption(Kind kind, String kmsKeyId) {
    /** The header's values. */
    public enum Kind {
      /** As the bucket says; no header is sent. */
      BUCKET_DEFAULT,
      AES256,
      AWS_KMS
    }

    public Encryption {
      Objects.requireNonNull(kind, "kind");
      if (kmsKeyId != null && kind != Kind.AWS_KMS) {
        throw new IllegalArgumentException("Invalid KMS key id: expected it only with aws:kms");
      }
    }

    public static Encryption bucketDefault() {
      return new Encryption(Kind.BUCKET_DEFAULT, null);
    }
  }

  /** AWS itself, by the default chain. */
  public static S3Access byDefaultChain() {
    return new S3Access(
        null,
        null,
        Addressing.HOST,
        null,
        null,
        null,
        null,
        Encryption.bucketDefault(),
        Compatibility.AWS);
  }

  public Optional<String> otherEndpoint() {
    return Optional.ofNullable(endpoint);
  }
}
