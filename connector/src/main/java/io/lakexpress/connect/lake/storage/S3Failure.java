package io.lakexpress.connect.lake.storage;

import io.lakexpress.connect.lake.file.StorageException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * A known kind of failure of an S3 store, with what to do. What fits none of them may pass by
 * itself: throttling, errors of the server, networks, time-outs.
 */
record S3Failure(Predicate<SdkException> fits, Outlook outlook, String advice) {
  private enum Outlook {
    LASTING,
    PASSING
  }

  private static final String REGION_HEADER = "x-amz-bucket-region";

  /** The one table; the first row that fits counts. */
  private static final List<S3Failure> KNOWN =
      List.of(
          new S3Failure(
              codes("NoSuchBucket"), Outlook.LASTING, "create the bucket or correct lake.url"),
          new S3Failure(
              codes("InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken"),
              Outlook.LASTING,
              "correct the access key and its secret"),
          new S3Failure(
              codes("ExpiredToken", "ExpiredTokenException", "RequestTimeTooSkewed"),
              Outlook.PASSING,
              "the credentials have run out or the worker's clock is wrong"),
          new S3Failure(
              codes("KMS.DisabledException", "KMS.NotFoundException", "KMS.InvalidStateException"),
              Outlook.LASTING,
              "correct s3.sse.kms.key.id, or let the worker use the key"),
          new S3Failure(
              codes(
                  "PermanentRedirect",
                  "AuthorizationHeaderMalformed",
                  "IllegalLocationConstraintException",
                  "TemporaryRedirect"),
              Outlook.LASTING,
              "set s3.region to the bucket's region"),
          new S3Failure(
              failure -> status(failure) == 301,
              Outlook.LASTING,
              "set s3.region to the bucket's region"),
          new S3Failure(
              codes("QuotaExceeded", "XMinioStorageFull", "InsufficientStorage"),
              Outlook.PASSING,
              "free space or raise the quota"),
          new S3Failure(
              failure -> status(failure) == 507, Outlook.PASSING, "free space or raise the quota"),
          new S3Failure(
              failure -> status(failure) == 403 || status(failure) == 401,
              Outlook.LASTING,
              "give the worker s3:PutObject, s3:GetObject, s3:DeleteObject,"
                  + " s3:AbortMultipartUpload,"
                  + " s3:ListBucket and s3:ListBucketMultipartUploads there, and mind what the bucket's"
                  + " policy demands (s3.sse)"),
          new S3Failure(
              failure -> says(failure, "unable to load credentials"),
              Outlook.LASTING,
              "set s3.access.key.id and s3.secret.access.key, s3.profile, or what the AWS default"
                  + " chain looks for"),
          new S3Failure(
              failure -> says(failure, "unable to load region"), Outlook.LASTING, "set s3.region"),
          new S3Failure(
              failure -> says(failure, "profile file contained no credentials", "does not exist"),
              Outlook.LASTING,
              "correct s3.profile"),
          new S3Failure(
              codes("NotImplemented", "MethodNotAllowed"),
              Outlook.LASTING,
              "the store does not know this part of S3's protocol"),
          new S3Failure(
              codes("BadDigest", "IncompleteBody", "InvalidPart", "XAmzContentSHA256Mismatch"),
              Outlook.PASSING,
              "what was sent did not arrive whole"),
          new S3Failure(
              failure -> status(failure) == 400 && !isTimeOut(failure),
              Outlook.LASTING,
              "the store refuses the request as it is"));

  /**
   * @param deed what could not be done, as in "Cannot publish s3://lake/a/b.parquet"
   */
  static StorageException of(String deed, SdkException failure) {
    String message = deed + ": " + reason(failure);
    return KNOWN.stream()
        .filter(kind -> kind.fits.test(failure))
        .findFirst()
        .map(kind -> kind.exception(message, failure))
        .orElseGet(() -> StorageException.passing(message, failure));
  }

  static boolean isMissing(SdkException failure) {
    return status(failure) == 404 && !code(failure).equals("NoSuchBucket");
  }

  static boolean isNotImplemented(SdkException failure) {
    return status(failure) == 501;
  }

  /** What a store may say while another request about the same object is under way. */
  static boolean isConfused(SdkException failure) {
    return status(failure) == 409 || status(failure) == 412 || status(failure) == 400;
  }

  private StorageException exception(String message, SdkException failure) {
    String advised = message + " (" + advice + region(failure) + ")";
    return switch (outlook) {
      case LASTING -> StorageException.lasting(advised, failure);
      case PASSING -> StorageException.passing(advised, failure);
    };
  }

  private static String region(SdkException failure) {
    if (!(failure instanceof AwsServiceException service) || service.awsErrorDetails() == null) {
      return "";
    }
    return Optional.ofNullable(service.awsErrorDetails().sdkHttpResponse())
        .flatMap(response -> response.firstMatchingHeader(REGION_HEADER))
        .filter(region -> advicesRegion(failure))
        .map(region -> ", which is " + region)
        .orElse("");
  }

  private static boolean advicesRegion(SdkException failure) {
    return status(failure) == 301 || status(failure) == 307 || status(failure) == 400;
  }

  private static Predicate<SdkException> codes(String... codes) {
    return failure -> List.of(codes).contains(code(failure));
  }

  private static boolean isTimeOut(SdkException failure) {
    return code(failure).equals("RequestTimeout");
  }

  private static String code(SdkException failure) {
    boolean isKnown =
        failure instanceof AwsServiceException service
            && service.awsErrorDetails() != null
            && service.awsErrorDetails().errorCode() != null;
    return isKnown ? ((AwsServiceException) failure).awsErrorDetails().errorCode() : "";
  }

  private static int status(SdkException failure) {
    return failure instanceof AwsServiceException service ? service.statusCode() : 0;
  }

  /** The store's own words, without the SDK's request ids. */
  private static String reason(SdkException failure) {
    String code = code(failure);
    if (failure instanceof AwsServiceException service && service.awsErrorDetails() != null) {
      String said = service.awsErrorDetails().errorMessage();
      String text = said == null ? "" : said;
      return code.isEmpty() || text.contains(code) ? fallback(text, service) : code + " " + text;
    }
    return failure.getMessage() == null
        ? failure.getClass().getSimpleName()
        : failure.getMessage().lines().findFirst().orElse("");
  }

  private static String fallback(String text, AwsServiceException service) {
    return text.isEmpty() ? "status " + service.statusCode() : text;
  }

  private static boolean says(SdkException failure, String... texts) {
    String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    for (String text : texts) {
      if (message.contains(text)) {
        return true;
      }
    }
    return false;
  }
}
