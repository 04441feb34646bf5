package io.lakexpress.connect.lake.storage;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.identity.CredentialUnavailableException;
import io.lakexpress.connect.lake.file.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class AzureFailureTest {
  private static final AzureAccess.Login PRINCIPAL =
      new AzureAccess.ServicePrincipal("tenant", "client", new Secret("hush"));

  static Stream<RuntimeException> refusals() {
    return Stream.of(
        new ClientAuthenticationException("AADSTS7000215: Invalid client secret", null),
        new CredentialUnavailableException("No identity here"));
  }

  /** K15: a refused way to log in says which one it was. */
  @ParameterizedTest
  @MethodSource("refusals")
  void refusedIdentityIsNamed(RuntimeException refusal) {
    for (AzureAccess.Login login :
        new AzureAccess.Login[] {PRINCIPAL, new AzureAccess.ManagedIdentity(null)}) {
      StorageException failure = AzureFailure.of("Cannot stage x", refusal, login);
      assertThat(failure)
          .hasMessageStartingWith("Cannot stage x: " + refusal.getMessage())
          .hasMessageContaining("it tried " + login.mode())
          .hasMessageNotContaining("hush");
      assertThat(failure.isRetriable()).isFalse();
    }
  }

  @Test
  void brokenNetworkMayPassEvenAtTheLogin() {
    RuntimeException failure =
        new ClientAuthenticationException(
            "Cannot log in", null, new UncheckedIOException(new IOException("reset by peer")));
    assertThat(AzureFailure.of("Cannot stage x", failure, PRINCIPAL).isRetriable()).isTrue();
  }

  @Test
  void signatureInAnUnknownFailureIsHidden() {
    RuntimeException failure = new IllegalStateException("no answer from http://x/y?se=1&sig=hush");
    assertThat(AzureFailure.of("Cannot stage x", failure, PRINCIPAL))
        .hasMessage(
            "Cannot stage x: no answer from http://x/y?se=1&sig=*** (with service-principal)");
  }
}
