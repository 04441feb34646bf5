package io.lakexpress.connect.lake.storage;

import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.exception.HttpResponseException;
import com.azure.storage.blob.models.BlobStorageException;
import io.lakexpress.connect.lake.file.StorageException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A known kind of failure of an Azure account, with what to do. What fits none of them may pass by
 * itself: throttling, errors of the server, networks, time-outs.
 */
record AzureFailure(Predicate<RuntimeException> fits, Outlook outlook, String advice) {
  private enum Outlook {
    LASTING,
    PASSING,
    /** Lasting, and the message says as whom the request was sent. */
    REFUSED
  }

  private static final Pattern SAID = Pattern.compile("<Message>([^\\n<]*)");
  private static final Pattern SIGNATURE = Pattern.compile("(?i)(sig=)[^&\\s\"]+");

  /** The one table; the first row that fits counts. */
  private static final List<AzureFailure> KNOWN =
      List.of(
          new AzureFailure(
              codes("ContainerNotFound", "ContainerDisabled"),
              Outlook.LASTING,
              "create the container or correct lake.url"),
          new AzureFailure(
              codes("KeyBasedAuthenticationNotPermitted"),
              Outlook.REFUSED,
              "the account takes no keys: use service-principal or managed-identity"),
          new AzureFailure(
              codes(
                  "AuthenticationFailed",
                  "InvalidAuthenticationInfo",
                  "NoAuthenticationInformation"),
              Outlook.REFUSED,
              "correct what it logs in with, and look at the worker's clock"),
          new AzureFailure(
              codes(
                  "AuthorizationSourceIPMismatch", "AuthorizationFailure", "IpAuthorizationError"),
              Outlook.REFUSED,
              "let the worker through the account's network rules, and let the signature, if it is"
                  + " one, allow this service"),
          new AzureFailure(
              codes("CannotVerifyCopySource"),
              Outlook.REFUSED,
              "let the worker read, too: publishing copies within the container"),
          new AzureFailure(
              codes("BlobImmutableDueToPolicy"),
              Outlook.LASTING,
              "staged blobs must be deletable: take the container's immutability policy away"),
          new AzureFailure(
              codes("AccountIsDisabled"), Outlook.LASTING, "the account has been disabled"),
          new AzureFailure(
              failure -> status(failure) == 403 || status(failure) == 401,
              Outlook.REFUSED,
              "give it the role Storage Blob Data Contributor on the container, or a signature with"
                  + " the permissions racwd"),
          new AzureFailure(
              failure -> failure instanceof ClientAuthenticationException,
              Outlook.REFUSED,
              "correct azure.tenant.id, azure.client.id and azure.client.secret, or the worker's"
                  + " identity"),
          new AzureFailure(
              codes("OperationTimedOut", "ServerBusy", "ContainerBeingDeleted"),
              Outlook.PASSING,
              "the account is busy"),
          new AzureFailure(
              failure -> status(failure) == 400,
              Outlook.LASTING,
              "the account refuses the request as it is"));

  /**
   * @param deed what could not be done, as in "Cannot publish abfss://lake@account/a/b.parquet"
   */
  static StorageException of(String deed, RuntimeException failure, AzureAccess.Login login) {
    String message = deed + ": " + reason(failure);
    if (isCausedBy(failure, IOException.class) || isCausedBy(failure, TimeoutException.class)) {
      return StorageException.passing(message + " (with " + login.mode() + ")", failure);
    }
    return KNOWN.stream()
        .filter(kind -> kind.fits.test(failure))
        .findFirst()
        .map(kind -> kind.exception(message, failure, login))
        .orElseGet(
            () -> StorageException.passing(message + " (with " + login.mode() + ")", failure));
  }

  /** What it logs in with cannot even be used; the SDK's own words may repeat it. */
  static StorageException unusable(
      String deed, IllegalArgumentException failure, AzureAccess.Login login) {
    return StorageException.lasting(
        deed + ": what " + login.mode() + " logs in with has no valid form", withoutText(failure));
  }

  private static Exception withoutText(IllegalArgumentException failure) {
    Exception bare = new IllegalArgumentException(failure.getClass().getSimpleName());
    bare.setStackTrace(failure.getStackTrace());
    return bare;
  }

  /** Whether the blob that was asked for, or copied from, is not there. */
  static boolean isMissing(RuntimeException failure) {
    return status(failure) == 404 && !code(failure).equals("ContainerNotFound");
  }

  /** Whether something has the name already; Azure says it in two ways. */
  static boolean isTaken(RuntimeException failure) {
    return status(failure) == 409 || status(failure) == 412;
  }

  private StorageException exception(
      String message, RuntimeException failure, AzureAccess.Login login) {
    String advised = message + " (" + advice;
    return switch (outlook) {
      case LASTING -> StorageException.lasting(advised + ")", failure);
      case PASSING -> StorageException.passing(advised + ")", failure);
      case REFUSED ->
          StorageException.lasting(advised + "; it tried " + login.mode() + ")", failure);
    };
  }

  private static Predicate<RuntimeException> codes(String... codes) {
    return failure -> List.of(codes).contains(code(failure));
  }

  private static String code(RuntimeException failure) {
    return failure instanceof BlobStorageException said && said.getErrorCode() != null
        ? said.getErrorCode().toString()
        : "";
  }

  private static int status(RuntimeException failure) {
    return failure instanceof HttpResponseException answered && answered.getResponse() != null
        ? answered.getResponse().getStatusCode()
        : 0;
  }

  /** The account's own words, without request ids and signatures. */
  private static String reason(RuntimeException failure) {
    String text = String.valueOf(failure.getMessage());
    if (failure instanceof HttpResponseException && status(failure) != 0) {
      Matcher said = SAID.matcher(text);
      String code = code(failure);
      String words = (said.find() ? said.group(1) : "").strip();
      String answer = (code + " " + words).strip();
      return hidden(answer.isEmpty() ? "status " + status(failure) : answer);
    }
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String first = String.valueOf(root.getMessage()).lines().findFirst().orElse("");
    boolean isSilent = root.getMessage() == null || first.isBlank();
    return isSilent ? root.getClass().getSimpleName() : hidden(first);
  }

  private static String hidden(String text) {
    return SIGNATURE.matcher(text).replaceAll("$1***");
  }

  private static boolean isCausedBy(Throwable failure, Class<? extends Exception> kind) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (kind.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }
}
