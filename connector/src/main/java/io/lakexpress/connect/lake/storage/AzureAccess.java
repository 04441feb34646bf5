package io.lakexpress.connect.lake.storage;

import java.util.Objects;
import java.util.Optional;

/**
 * How an Azure storage account is reached.
 *
 * @param account null for the one that the lake's URL names
 * @param endpoint of the account's Blob service; null for Azure's own
 */
public record AzureAccess(String account, String endpoint, Login login) {
  public AzureAccess {
    Objects.requireNonNull(login, "login");
  }

  /** As whom requests are sent. */
  public sealed interface Login {
    /** The word of {@code azure.auth.mode}. */
    String mode();
  }

  /** An application of the directory with a client secret. */
  public record ServicePrincipal(String tenantId, String clientId, Secret clientSecret)
      implements Login {
    @Override
    public String mode() {
      return "service-principal";
    }
  }

  /**
   * The identity of the machine, container or pod the worker runs in.
   *
   * @param clientId of a user-assigned identity; null for the system's
   */
  public record ManagedIdentity(String clientId) implements Login {
    @Override
    public String mode() {
      return "managed-identity";
    }
  }

  /** The account's own key. */
  public record SharedKey(Secret key) implements Login {
    @Override
    public String mode() {
      return "shared-key";
    }
  }

  /** A shared access signature for the container or the account. */
  public record Sas(Secret token) implements Login {
    @Override
    public String mode() {
      return "sas";
    }
  }

  /** What a connection string said. */
  public record FromConnectionString(Login inside) implements Login {
    @Override
    public String mode() {
      return "connection-string";
    }
  }

  /** The machine's identity at the account that the lake's URL names. */
  public static AzureAccess byManagedIdentity() {
    return new AzureAccess(null, null, new ManagedIdentity(null));
  }

  public Optional<String> givenAccount() {
    return Optional.ofNullable(account);
  }

  public Optional<String> otherEndpoint() {
    return Optional.ofNullable(endpoint);
  }

  /** Refuses tries by their mode, never by what they hold. */
  @Override
  public String toString() {
    return "AzureAccess[" + account + ", " + endpoint + ", " + login.mode() + "]";
  }
}
