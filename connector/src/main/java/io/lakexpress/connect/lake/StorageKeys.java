package io.lakexpress.connect.lake;

import io.lakexpress.connect.ConfigReader;
import io.lakexpress.connect.Credential;
import io.lakexpress.connect.lake.storage.S3Access;
import io.lakexpress.connect.lake.storage.S3Access.Addressing;
import io.lakexpress.connect.lake.storage.S3Access.Compatibility;
import io.lakexpress.connect.lake.storage.S3Access.Encryption;
import io.lakexpress.connect.lake.storage.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.apache.kafka.common.config.types.Password;

/** Reads how stores are reached: the sink's own keys come before a credential's values. */
final class StorageKeys {
  private StorageKeys() {}

  /**
   * How to reach S3.
   *
   * @param credential null without one
   */
  static S3Access s3(ConfigReader config, Credential.S3 credential) {
    Optional<Credential.S3> stored = Optional.ofNullable(credential);
    String region =
        config
            .text(SinkKeys.S3_REGION)
            .or(() -> stored.flatMap(Credential.S3::region))
            .orElse(null);
    String endpoint =
        config
            .text(SinkKeys.S3_ENDPOINT)
            .or(() -> stored.flatMap(Credential.S3::endpoint))
            .filter(address -> isAddress(config, SinkKeys.S3_ENDPOINT, address))
            .orElse(null);
    boolean isOther = endpoint != null;
    boolean pathStyle = config.text(SinkKeys.S3_PATH_STYLE).map("true"::equals).orElse(isOther);
    boolean isPlain = config.text(SinkKeys.S3_COMPATIBILITY).map("plain"::equals).orElse(isOther);
    Keys keys = keys(config, stored);
    return new S3Access(
        region,
        endpoint,
        pathStyle ? Addressing.PATH : Addressing.HOST,
        keys.profile(),
        keys.accessKeyId(),
        keys.secret(),
        config.text(SinkKeys.S3_ROLE_ARN).orElse(null),
        encryption(config),
        isPlain ? Compatibility.PLAIN : Compatibility.AWS);
  }

  private record Keys(String profile, String accessKeyId, Secret secret) {
    static Keys none() {
      return new Keys(null, null, null);
    }

    static Keys ofProfile(String profile) {
      return new Keys(profile, null, null);
    }

    static Keys of(String accessKeyId, Password secret) {
      return new Keys(null, accessKeyId, new Secret(secret.value()));
    }
  }

  private static Keys keys(ConfigReader config, Optional<Credential.S3> stored) {
    Optional<String> profile = config.text(SinkKeys.S3_PROFILE);
    Optional<String> id = config.text(SinkKeys.S3_ACCESS_KEY_ID);
    Optional<Password> secret = config.secret(SinkKeys.S3_SECRET_ACCESS_KEY);
    if (id.isPresent() != secret.isPresent()) {
      config.refuse(
          id.isPresent() ? SinkKeys.S3_SECRET_ACCESS_KEY : SinkKeys.S3_ACCESS_KEY_ID,
          "Missing: expected both " + SinkKeys.S3_ACCESS_KEY_ID + " and its secret, or neither");
      return Keys.none();
    }
    if (profile.isPresent() && id.isPresent()) {
      config.refuse(
          SinkKeys.S3_PROFILE,
          "Contradicts " + SinkKeys.S3_ACCESS_KEY_ID + ": expected one of them");
    }
    if (id.isPresent()) {
      return Keys.of(id.get(), secret.orElseThrow());
    }
    if (profile.isPresent()) {
      return Keys.ofProfile(profile.get());
    }
    return stored
        .map(
            s3 ->
                s3.secretAccessKey() == null
                    ? Keys.ofProfile(s3.profile().orElse(null))
                    : Keys.of(s3.accessKeyId(), s3.secretAccessKey()))
        .orElse(Keys.none());
  }

  private static Encryption encryption(ConfigReader config) {
    String word = config.isValid(SinkKeys.S3_SSE) ? config.word(SinkKeys.S3_SSE) : "";
    String keyId = config.text(SinkKeys.S3_SSE_KMS_KEY_ID).orElse(null);
    if (keyId != null && !word.equals("aws:kms")) {
      config.refuse(
          SinkKeys.S3_SSE_KMS_KEY_ID,
          "Contradicts " + SinkKeys.S3_SSE + ": expected aws:kms there");
      return Encryption.bucketDefault();
    }
    return switch (word) {
      case "AES256" -> new Encryption(Encryption.Kind.AES256, null);
      case "aws:kms" -> new Encryption(Encryption.Kind.AWS_KMS, keyId);
      default -> Encryption.bucketDefault();
    };
  }

  /** Whether it is an address; refuses the key otherwise. */
  static boolean isAddress(ConfigReader config, String key, String address) {
    try {
      URI uri = new URI(address);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (isHttp && uri.getHost() != null && uri.getUserInfo() == null) {
        return true;
      }
    } catch (URISyntaxException e) {
      // Refused below; what it holds may be a secret.
    }
    config.refuseAndHide(
        key,
        "Invalid endpoint: expected http://host:port or https://host, without user and password");
    return false;
  }
}
