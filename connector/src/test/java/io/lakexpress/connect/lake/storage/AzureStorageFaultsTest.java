package io.lakexpress.connect.lake.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lakexpress.connect.lake.file.LakePath;
import io.lakexpress.connect.lake.file.LakeStorage.PublishOutcome;
import io.lakexpress.connect.lake.file.StagedFile;
import io.lakexpress.connect.lake.file.StagingHandle;
import io.lakexpress.connect.lake.file.StorageException;
import io.lakexpress.connect.lake.storage.AzureConnection.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes wrong between a worker and an Azure account. */
final class AzureStorageFaultsTest {
  private static final LakePath PATH = new LakePath("sales/orders/part-1.parquet");
  private static final Patience SHORT =
      new Patience(3, Duration.ofSeconds(5), Duration.ofMillis(10), Duration.ofMillis(20));

  private final TestingAzure azure = new TestingAzure();

  @AfterEach
  void clear() {
    azure.close();
  }

  private static AzureStorage storage(AzurePlace place, AzureAccess.Login login) {
    return new AzureStorage(place, login, SHORT, new AzureStorage.Sizes(1 << 20, 256L << 20));
  }

  private static StorageException refused(AzureStorage storage) {
    try (storage) {
      return catchThrowableOfType(StorageException.class, storage::verifyWritable);
    }
  }

  private static StagingHandle stage(AzureStorage storage, byte[] content) {
    StagedFile file = storage.open(PATH, storage.begin(PATH, 1));
    file.write(content, 0, content.length);
    return file.stage();
  }

  /** K15: a refused way to log in says which one it was. */
  @Test
  void wrongKeyIsRefusedByTheModeThatWasTried() {
    String wrong = Base64.getEncoder().encodeToString("wrong".getBytes(UTF_8));
    StorageException failure =
        refused(storage(azure.place("lake"), new AzureAccess.SharedKey(new Secret(wrong))));
    assertThat(failure)
        .hasMessageStartingWith("Cannot write block 1 of abfss://")
        .hasMessageContaining("it tried shared-key")
        .hasMessageNotContaining(wrong);
    assertThat(failure.isRetriable()).isFalse();
  }

  /** K15 */
  @Test
  void refusedSignatureIsNotRepeated() {
    StorageException failure =
        refused(
            storage(
                azure.place("lake"),
                new AzureAccess.Sas(
                    new Secret("sv=2024-08-04&sr=c&sp=racwd&se=2099-01-01&sig=aHVzaA%3D%3D"))));
    assertThat(failure).hasMessageContaining("it tried sas").hasMessageNotContaining("aHVzaA");
    assertThat(failure.isRetriable()).isFalse();
  }

  @Test
  void missingContainerIsNamed() {
    AzurePlace real = azure.place("lake");
    AzurePlace wrong =
        new AzurePlace(real.account(), real.host(), real.endpoint(), "no-such-lake", "");
    StorageException failure = refused(storage(wrong, TestingAzure.login()));
    assertThat(failure)
        .hasMessageContaining("ContainerNotFound")
        .hasMessageContaining("create the container or correct lake.url");
    assertThat(failure.isRetriable()).isFalse();
    try (AzureStorage storage = storage(wrong, TestingAzure.login())) {
      assertThatThrownBy(() -> storage.exists(PATH)).hasMessageContaining("create the container");
    }
  }

  @Test
  void busyAccountIsAskedAgain() {
    try (AzureProxy proxy = new AzureProxy(azure);
        AzureStorage storage = storage(proxy.place(), TestingAzure.login())) {
      proxy.failNext(2);
      StagingHandle staged = stage(storage, "rows".getBytes(UTF_8));
      assertThat(storage.publish(PATH, staged)).isEqualTo(PublishOutcome.PUBLISHED);
      assertThat(azure.read("lake/" + PATH)).asString(UTF_8).isEqualTo("rows");
    }
  }

  @Test
  void accountThatStaysBusyIsLeftForLater() {
    try (AzureProxy proxy = new AzureProxy(azure);
        AzureStorage storage = storage(proxy.place(), TestingAzure.login())) {
      StagingHandle staged = stage(storage, "rows".getBytes(UTF_8));
      proxy.failNext(3);
      assertThatThrownBy(() -> storage.publish(PATH, staged))
          .isInstanceOfSatisfying(
              StorageException.class, failure -> assertThat(failure.isRetriable()).isTrue())
          .hasMessageStartingWith("Cannot publish abfss://");
      assertThat(proxy.failuresLeft()).isZero();
      assertThat(azure.blobs()).noneMatch(name -> name.endsWith(".parquet"));
      assertThat(storage.publish(PATH, staged)).isEqualTo(PublishOutcome.PUBLISHED);
    }
  }

  @Test
  void silentServerIsGivenUp() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      AzurePlace real = azure.place("lake");
      AzurePlace there =
          new AzurePlace(
              real.account(),
              real.host(),
              "http://127.0.0.1:" + silent.getLocalPort() + "/" + real.account(),
              real.container(),
              "");
      Patience impatient =
          new Patience(2, Duration.ofSeconds(1), Duration.ofMillis(10), Duration.ofMillis(20));
      try (AzureStorage storage =
          new AzureStorage(there, TestingAzure.login(), impatient, AzureStorage.Sizes.usual())) {
        assertThatThrownBy(() -> storage.exists(PATH))
            .isInstanceOfSatisfying(
                StorageException.class, failure -> assertThat(failure.isRetriable()).isTrue());
      }
    }
  }

  @Test
  void largeFileIsPublishedBlockByBlock() {
    byte[] content = new byte[(5 << 20) + 17];
    new Random(3).nextBytes(content);
    try (AzureProxy proxy = new AzureProxy(azure);
        AzureStorage storage =
            new AzureStorage(
                proxy.place(),
                TestingAzure.login(),
                SHORT,
                new AzureStorage.Sizes(1 << 20, 2 << 20))) {
      StagingHandle staged = stage(storage, content);
      assertThat(storage.publish(PATH, staged)).isEqualTo(PublishOutcome.PUBLISHED);
      assertThat(storage.publish(PATH, staged)).isEqualTo(PublishOutcome.PUBLISHED);
      assertThat(proxy.copiedBlocks()).isEqualTo(3);
      assertThat(azure.read("lake/" + PATH)).isEqualTo(content);
      assertThat(azure.everything()).containsExactly("lake/" + PATH);
    }
  }

  /** The process died after the copy, before the hidden blob was deleted. */
  @Test
  void publishingAgainTidiesUp() {
    try (AzureStorage storage = storage(azure.place("lake"), TestingAzure.login())) {
      StagingHandle staged = stage(storage, "rows".getBytes(UTF_8));
      String hidden = azure.blobs().get(0);
      byte[] bytes = azure.read(hidden);
      storage.publish(PATH, staged);
      azure
          .container()
          .getBlobClient(hidden)
          .upload(com.azure.core.util.BinaryData.fromBytes(bytes));
      assertThat(storage.publish(PATH, staged)).isEqualTo(PublishOutcome.PUBLISHED);
      assertThat(azure.everything()).containsExactly("lake/" + PATH);
    }
  }
}
