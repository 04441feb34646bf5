package io.lakexpress.connect.lake;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.connect.ConfigReader;
import io.lakexpress.connect.lake.storage.LakeLocation;
import io.lakexpress.connect.lake.storage.S3Access;
import io.lakexpress.connect.lake.storage.S3Access.Addressing;
import io.lakexpress.connect.lake.storage.S3Access.Compatibility;
import io.lakexpress.connect.lake.storage.S3Access.Encryption;
import io.lakexpress.connect.lake.storage.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class S3KeysTest {
  private static final String CREDENTIALS =
      """
      {
        "byKeys": {"ds_type": "s3", "info": {"directory": "s3://bkt/p",
            "aws_access_key_id": "stored-id", "aws_secret_access_key": "stored-secret",
            "region": "us-west-1", "endpoint_url": "http://minio:9000"}},
        "byProfile": {"ds_type": "s3", "info": {"directory": "s3://bkt/p", "profile_name": "ops"}}
      }
      """;

  @TempDir Path folder;

  private Map<String, String> properties(String... pairs) {
    Map<String, String> properties = new HashMap<>();
    properties.put("sync.id", "shop");
    properties.put("lxdb.url", "jdbc:sqlite:" + folder.resolve("lakexpress.db"));
    for (int i = 0; i < pairs.length; i += 2) {
      properties.put(pairs[i], pairs[i + 1]);
    }
    return properties;
  }

  private Map<String, String> onBucket(String... pairs) {
    Map<String, String> properties = properties(pairs);
    properties.put("lake.url", "s3://lake/raw");
    return properties;
  }

  private Map<String, String> byCredential(String id, String... pairs) throws IOException {
    Path file = folder.resolve("credentials.json");
    Files.writeString(file, CREDENTIALS);
    Map<String, String> properties = properties(pairs);
    properties.put("credentials.file", file.toString());
    properties.put("target.storage.id", id);
    return properties;
  }

  private static S3Access access(Map<String, String> properties) {
    return ((LakeLocation.Bucket) SinkConfig.parse(properties).location()).access();
  }

  private static Map<String, String> problems(Map<String, String> properties) {
    ConfigReader config = new ConfigReader(SinkConfig.definition(), properties);
    SinkConfig.read(config);
    Map<String, String> problems = new HashMap<>();
    for (ConfigValue value : config.validated().configValues()) {
      if (!value.errorMessages().isEmpty()) {
        problems.put(value.name(), String.join("; ", value.errorMessages()));
      }
    }
    return problems;
  }

  @Test
  void nothingSetMeansTheDefaultChainOfAws() {
    assertThat(access(onBucket())).isEqualTo(S3Access.byDefaultChain());
  }

  @Test
  void everyKeyArrives() {
    assertThat(
            access(
                onBucket(
                    "s3.region", "eu-central-1",
                    "s3.endpoint", "https://store.example:9000",
                    "s3.path.style.access", "false",
                    "s3.compatibility", "aws",
                    "s3.access.key.id", "id",
                    "s3.secret.access.key", "secret",
                    "s3.role.arn", "arn:aws:iam::1:role/lake",
                    "s3.sse", "aws:kms",
                    "s3.sse.kms.key.id", "key-7")))
        .isEqualTo(
            new S3Access(
                "eu-central-1",
                "https://store.example:9000",
                Addressing.HOST,
                null,
                "id",
                new Secret("secret"),
                "arn:aws:iam::1:role/lake",
                new Encryption(Encryption.Kind.AWS_KMS, "key-7"),
                Compatibility.AWS));
    assertThat(access(onBucket("s3.profile", "ops", "s3.sse", "AES256")))
        .extracting(S3Access::profile, S3Access::encryption)
        .containsExactly("ops", new Encryption(Encryption.Kind.AES256, null));
  }

  @Test
  void otherStoresGetPathsAndThePlainProtocol() {
    assertThat(access(onBucket("s3.endpoint", "http://minio:9000")))
        .extracting(S3Access::addressing, S3Access::compatibility)
        .containsExactly(Addressing.PATH, Compatibility.PLAIN);
  }

  @Test
  void halfAKeyIsRefused() {
    assertThat(problems(onBucket("s3.access.key.id", "id")))
        .containsOnlyKeys("s3.secret.access.key");
    assertThat(problems(onBucket("s3.secret.access.key", "hush")))
        .containsOnlyKeys("s3.access.key.id")
        .allSatisfy((key, problem) -> assertThat(problem).doesNotContain("hush"));
  }

  @Test
  void contradictionsAreRefused() {
    assertThat(
            problems(
                onBucket(
                    "s3.profile", "ops", "s3.access.key.id", "id", "s3.secret.access.key", "hush")))
        .isEqualTo(Map.of("s3.profile", "Contradicts s3.access.key.id: expected one of them"));
    assertThat(problems(onBucket("s3.sse", "AES256", "s3.sse.kms.key.id", "key-7")))
        .isEqualTo(Map.of("s3.sse.kms.key.id", "Contradicts s3.sse: expected aws:kms there"));
  }

  @Test
  void unknownWordsAreRefused() {
    assertThat(problems(onBucket("s3.sse", "rot13"))).containsOnlyKeys("s3.sse");
    assertThat(problems(onBucket("s3.compatibility", "new"))).containsOnlyKeys("s3.compatibility");
    assertThat(problems(onBucket("s3.path.style.access", "perhaps")))
        .containsOnlyKeys("s3.path.style.access");
  }

  @Test
  void endpointWithAPasswordIsRefusedAndNotShown() {
    ConfigReader config =
        new ConfigReader(
            SinkConfig.definition(), onBucket("s3.endpoint", "http://user:hush@minio:9000"));
    SinkConfig.read(config);

    assertThat(config.validated().configValues())
        .noneMatch(value -> String.valueOf(value).contains("hush"));
    assertThat(problems(onBucket("s3.endpoint", "minio:9000"))).containsOnlyKeys("s3.endpoint");
  }

  @Test
  void secretIsNeverPrinted() {
    SinkConfig config =
        SinkConfig.parse(onBucket("s3.access.key.id", "id", "s3.secret.access.key", "hush"));

    assertThat(config.toString()).contains("secretAccessKey=[hidden]").doesNotContain("hush");
    assertThat(config.location().text()).isEqualTo("s3://lake/raw");
  }

  @Test
  void credentialsEntryGivesPlaceAndKeys() throws IOException {
    LakeLocation.Bucket bucket =
        (LakeLocation.Bucket) SinkConfig.parse(byCredential("byKeys")).location();

    assertThat(bucket.text()).isEqualTo("s3://bkt/p");
    assertThat(bucket.access())
        .extracting(
            S3Access::region,
            S3Access::endpoint,
            S3Access::accessKeyId,
            S3Access::secretAccessKey,
            S3Access::profile)
        .containsExactly(
            "us-west-1", "http://minio:9000", "stored-id", new Secret("stored-secret"), null);
    assertThat(access(byCredential("byProfile")).profile()).isEqualTo("ops");
  }

  @Test
  void keysOfTheSinkComeBeforeTheEntry() throws IOException {
    assertThat(access(byCredential("byKeys", "s3.region", "eu-west-3", "s3.profile", "mine")))
        .extracting(S3Access::region, S3Access::profile, S3Access::accessKeyId)
        .containsExactly("eu-west-3", "mine", null);
  }
}
