package io.lakexpress.connect.lake.storage;

import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.common.StorageSharedKeyCredential;
import io.lakexpress.connect.lake.file.LakeStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;

/** A new container of an emulated Azure account; the test is skipped where none can run. */
public final class TestingAzure implements AutoCloseable {
  static final String ACCOUNT = "devstoreaccount1";

  /** Azurite's, the same everywhere and no secret. */
  static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private final int port;
  private final BlobContainerClient container;

  public TestingAzure() {
    Assumptions.assumeTrue(Azurite.shared().isPresent(), "Azurite does not run here");
    port = Azurite.shared().orElseThrow().port();
    container =
        new BlobServiceClientBuilder()
            .endpoint(endpoint())
            .credential(new StorageSharedKeyCredential(ACCOUNT, KEY))
            .httpClient(new JdkHttpClientBuilder().build())
            .buildClient()
            .createBlobContainer("lake-" + UUID.randomUUID());
  }

  String endpoint() {
    return "http://127.0.0.1:" + port + "/" + ACCOUNT;
  }

  BlobContainerClient container() {
    return container;
  }

  /** Where a lake in this container is. */
  public AzurePlace place(String prefix) {
    return new AzurePlace(
        ACCOUNT,
        ACCOUNT + ".dfs.core.windows.net",
        endpoint(),
        container.getBlobContainerName(),
        prefix);
  }

  static AzureAccess.Login login() {
    return new AzureAccess.SharedKey(new Secret(KEY));
  }

  /** A lake below the prefix that sends so many bytes at once. */
  public LakeStorage storage(String prefix, int blockBytes) {
    return new AzureStorage(
        place(prefix),
        login(),
        AzureConnection.Patience.usual(),
        new AzureStorage.Sizes(blockBytes, 256L << 20));
  }

  /** Copies what is below the prefix into a folder; blocks alone become hidden empty files. */
  public void download(String prefix, Path folder) throws IOException {
    List<String> whole = blobs();
    for (String name : everything()) {
      if (name.startsWith(prefix + "/")) {
        boolean isWhole = whole.contains(name);
        Path file = folder.resolve(name.substring(prefix.length() + 1));
        Files.createDirectories(file.getParent());
        Files.write(
            isWhole ? file : file.resolveSibling("." + file.getFileName() + ".blocks"),
            isWhole ? read(name) : new byte[0]);
      }
    }
  }

  /** The names of all blobs that readers see. */
  List<String> blobs() {
    return container.listBlobs().stream().map(BlobItem::getName).sorted().toList();
  }

  /** The names of all blobs, those too that are only blocks. */
  List<String> everything() {
    ListBlobsOptions all =
        new ListBlobsOptions().setDetails(new BlobListDetails().setRetrieveUncommittedBlobs(true));
    return container.listBlobs(all, null).stream().map(BlobItem::getName).sorted().toList();
  }

  byte[] read(String name) {
    return container.getBlobClient(name).downloadContent().toBytes();
  }

  @Override
  public void close() {
    container.deleteIfExists();
  }
}
