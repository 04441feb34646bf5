package io.lakexpress.connect.lake.storage;

import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.http.HttpAuthorization;
import com.azure.core.http.HttpClient;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.sas.BlobSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import com.azure.storage.blob.specialized.BlockBlobClient;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import io.lakexpress.connect.lake.file.StorageException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/**
 * A container and the right to read from it for the store itself, which copies must be given.
 * Making one reaches for nothing.
 */
final class AzureConnection {
  private static final String SCOPE = "https://storage.azure.com/.default";
  private static final Duration COPY_RIGHT = Duration.ofHours(1);

  /** How often and how long a request is tried. */
  record Patience(int tries, Duration ofOneTry, Duration firstPause, Duration longestPause) {
    static Patience usual() {
      return new Patience(5, Duration.ofMinutes(2), Duration.ofMillis(500), Duration.ofSeconds(10));
    }
  }

  /** A blob's address for a copy, with what lets the store read it. */
  record Source(String url, HttpAuthorization authorization) {
    @Override
    public String toString() {
      return "Source[hidden]";
    }
  }

  private final BlobContainerClient container;
  private final AzureAccess.Login login;
  private final AzureAccess.Login effective;
  private final TokenCredential identity;

  private AzureConnection(
      BlobContainerClient container,
      AzureAccess.Login login,
      AzureAccess.Login effective,
      TokenCredential identity) {
    this.container = container;
    this.login = login;
    this.effective = effective;
    this.identity = identity;
  }

  static AzureConnection to(AzurePlace place, AzureAccess.Login login, Patience patience) {
    HttpClient http =
        new JdkHttpClientBuilder()
            .connectionTimeout(Duration.ofSeconds(5))
            .responseTimeout(patience.ofOneTry())
            .readTimeout(patience.ofOneTry())
            .writeTimeout(patience.ofOneTry())
            .build();
    AzureAccess.Login effective =
        login instanceof AzureAccess.FromConnectionString given ? given.inside() : login;
    BlobServiceClientBuilder builder =
        new BlobServiceClientBuilder()
            .endpoint(place.endpoint())
            .httpClient(http)
            .retryOptions(
                new RequestRetryOptions(
                    RetryPolicyType.EXPONENTIAL,
                    patience.tries(),
                    patience.ofOneTry(),
                    patience.firstPause(),
                    patience.longestPause(),
                    null));
    TokenCredential identity = null;
    if (effective instanceof AzureAccess.SharedKey shared) {
      builder.credential(new StorageSharedKeyCredential(place.account(), shared.key().value()));
    } else if (effective instanceof AzureAccess.Sas sas) {
      builder.sasToken(bare(sas.token()));
    } else {
      identity = identity(effective, http);
      builder.credential(identity);
    }
    return new AzureConnection(
        builder.buildClient().getBlobContainerClient(place.container()),
        login,
        effective,
        identity);
  }

  private static TokenCredential identity(AzureAccess.Login login, HttpClient http) {
    if (login instanceof AzureAccess.ServicePrincipal principal) {
      return new ClientSecretCredentialBuilder()
          .tenantId(principal.tenantId())
          .clientId(principal.clientId())
          .clientSecret(principal.clientSecret().value())
          .httpClient(http)
          .build();
    }
    if (login instanceof AzureAccess.ManagedIdentity managed) {
      return new ManagedIdentityCredentialBuilder()
          .clientId(managed.clientId())
          .httpClient(http)
          .build();
    }
    throw new IllegalStateException("Cannot log in by " + login.mode());
  }

  private static String bare(Secret token) {
    return token.value().startsWith("?") ? token.value().substring(1) : token.value();
  }

  /** What a failed request means, saying as whom it was sent if that matters. */
  StorageException failure(String deed, RuntimeException failure) {
    return AzureFailure.of(deed, failure, login);
  }

  BlockBlobClient blob(String name) {
    return container.getBlobClient(name).getBlockBlobClient();
  }

  /** A blob of this container as the source of a copy. */
  Source source(BlockBlobClient blob) {
    if (effective instanceof AzureAccess.Sas sas) {
      return new Source(blob.getBlobUrl() + "?" + bare(sas.token()), null);
    }
    if (effective instanceof AzureAccess.SharedKey) {
      BlobServiceSasSignatureValues toRead =
          new BlobServiceSasSignatureValues(
              OffsetDateTime.now(ZoneOffset.UTC).plus(COPY_RIGHT),
              new BlobSasPermission().setReadPermission(true));
      return new Source(blob.getBlobUrl() + "?" + blob.generateSas(toRead), null);
    }
    String token = identity.getTokenSync(new TokenRequestContext().addScopes(SCOPE)).getToken();
    return new Source(blob.getBlobUrl(), new HttpAuthorization("Bearer", token));
  }
}
