package io.lakexpress.connect.lake.storage;

import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.StsClientBuilder;
import software.amazon.awssdk.services.sts.auth.StsAssumeRoleCredentialsProvider;

/** Makes clients of S3 stores, which try a failed request again a bounded number of times. */
final class S3Clients {
  /**
   * How long to wait.
   *
   * @param connect for a connection
   * @param silence between two bytes of an answer
   * @param attempt for one try of a request
   * @param call for a request with all its tries
   */
  record Patience(Duration connect, Duration silence, Duration attempt, Duration call) {
    static final Patience USUAL =
        new Patience(
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofMinutes(2),
            Duration.ofMinutes(5));
  }

  private static final int ATTEMPTS = 5;

  private S3Clients() {}

  /** A client; making it reaches for nothing. */
  static S3Client of(S3Access access, Patience patience) {
    boolean isPlain = access.compatibility() == S3Access.Compatibility.PLAIN;
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClient(http(patience))
            .credentialsProvider(credentials(access, patience))
            .forcePathStyle(access.addressing() == S3Access.Addressing.PATH)
            .serviceConfiguration(service -> service.chunkedEncodingEnabled(!isPlain))
            .requestChecksumCalculation(
                isPlain
                    ? RequestChecksumCalculation.WHEN_REQUIRED
                    : RequestChecksumCalculation.WHEN_SUPPORTED)
            .responseChecksumValidation(
                isPlain
                    ? ResponseChecksumValidation.WHEN_REQUIRED
                    : ResponseChecksumValidation.WHEN_SUPPORTED)
            .overrideConfiguration(
                override ->
                    override
                        .apiCallTimeout(patience.call())
                        .apiCallAttemptTimeout(patience.attempt())
                        .retryStrategy(
                            AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                .maxAttempts(ATTEMPTS)
                                .build()));
    access.otherEndpoint().ifPresent(endpoint -> builder.endpointOverride(URI.create(endpoint)));
    if (access.region() != null) {
      builder.region(Region.of(access.region()));
    } else if (access.endpoint() != null) {
      // Other stores do not look at it, but the signature needs one.
      builder.region(Region.US_EAST_1);
    }
    return builder.build();
  }

  private static SdkHttpClient http(Patience patience) {
    return UrlConnectionHttpClient.builder()
        .connectionTimeout(patience.connect())
        .socketTimeout(patience.silence())
        .build();
  }

  private static AwsCredentialsProvider credentials(S3Access access, Patience patience) {
    AwsCredentialsProvider own = own(access);
    if (access.roleArn() == null) {
      return own;
    }
    StsClientBuilder sts = StsClient.builder().httpClient(http(patience)).credentialsProvider(own);
    if (access.region() != null) {
      sts.region(Region.of(access.region()));
    }
    return StsAssumeRoleCredentialsProvider.builder()
        .stsClient(sts.build())
        .refreshRequest(
            request ->
                request
                    .roleArn(access.roleArn())
                    .roleSessionName("lakexpress-" + UUID.randomUUID()))
        .build();
  }

  private static AwsCredentialsProvider own(S3Access access) {
    if (access.accessKeyId() != null) {
      return StaticCredentialsProvider.create(
          AwsBasicCredentials.create(access.accessKeyId(), access.secretAccessKey().value()));
    }
    return access.profile() == null
        ? DefaultCredentialsProvider.builder().build()
        : ProfileCredentialsProvider.create(access.profile());
  }
}
