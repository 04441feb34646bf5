package io.lakexpress.connect.lake.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.connect.lake.storage.LakeLocation.Access;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LakeLocationTest {
  @ParameterizedTest
  @CsvSource({
    "file:///data/lake, file:///data/lake",
    "file:///data/lake/, file:///data/lake",
    "FILE:///data/my%20lake+1, file:///data/my lake+1",
    "file://localhost/data, file:///data",
    "file:/data, file:///data",
    "/data/../srv/lake, file:///srv/lake"
  })
  void foldersAreGivenAsUrlOrAbsolutePath(String url, String text) {
    LakeLocation location = LakeLocation.parse(url, Access.byDefault());
    assertThat(location.text()).isEqualTo(text);
    assertThat(location.open().location()).isEqualTo(text);
    assertThat(LakeLocation.parse(location.text().replace(" ", "%20"), Access.byDefault()))
        .isEqualTo(location);
  }

  @ParameterizedTest
  @CsvSource({
    "abfss://lake@shop.dfs.core.windows.net/raw/a%20b/, abfss://lake@shop.dfs.core.windows.net/raw/a b",
    "abs://lake@shop.blob.core.windows.net, abfss://lake@shop.dfs.core.windows.net",
    "wasbs://lake@shop.blob.core.chinacloudapi.cn/x, abfss://lake@shop.dfs.core.chinacloudapi.cn/x",
    "abfs://lake@shop, abfss://lake@shop.dfs.core.windows.net"
  })
  void containersAreGivenAsUrl(String url, String text) {
    LakeLocation location = LakeLocation.parse(url, Access.byDefault());
    assertThat(location.text()).isEqualTo(text);
    assertThat(location.open().location()).isEqualTo(text);
  }

  @Test
  void containerAloneIsEnoughWhereTheAccountIsKnown() {
    AzureAccess access =
        AzureConnectionString.parse(
            new Secret("AccountName=shop;AccountKey=c2VjcmV0;EndpointSuffix=core.windows.net"));
    LakeLocation.Container lake =
        (LakeLocation.Container)
            LakeLocation.parse("abs://lake/raw", new Access(S3Access.byDefaultChain(), access));
    assertThat(lake.place())
        .isEqualTo(
            new AzurePlace(
                "shop",
                "shop.dfs.core.windows.net",
                "https://shop.blob.core.windows.net",
                "lake",
                "raw"));
    assertThat(lake.login().mode()).isEqualTo("connection-string");
    assertThatThrownBy(
            () ->
                LakeLocation.parse(
                    "abs://lake@other/raw", new Access(S3Access.byDefaultChain(), access)))
        .hasMessage("Invalid lake URL: expected the account that azure.connection.string names");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "abfss:lake",
        "abfss://lake/secret",
        "abs://key:secret@shop/x",
        "abfss://lake@shop@x/y",
        "abfss://LAKE@shop/y",
        "abfss://lake@shop/a//b"
      })
  void whatNamesNoContainerIsRefused(String url) {
    assertThatThrownBy(() -> LakeLocation.parse(url, Access.byDefault()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Invalid lake URL: expected ")
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @CsvSource({
    "s3://bucket, s3://bucket",
    "s3a://bucket/, s3://bucket",
    "S3://my.bucket-1/raw/a%20b+c/, s3://my.bucket-1/raw/a b+c"
  })
  void bucketsAreGivenAsUrl(String url, String text) {
    LakeLocation location = LakeLocation.parse(url, Access.byDefault());
    assertThat(location.text()).isEqualTo(text);
    assertThat(location.open().location()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3:bucket",
        "s3://",
        "s3://key:secret@bucket/dir",
        "s3://b/x/../y",
        "s3://bu/a//b"
      })
  void whatNamesNoBucketIsRefused(String url) {
    assertThatThrownBy(() -> LakeLocation.parse(url, Access.byDefault()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Invalid lake URL: expected ")
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "lake", "ftp://x/secret", "file:lake", "file://host/lake", "file:///a%2"})
  void everythingElseIsRefused(String url) {
    assertThatThrownBy(() -> LakeLocation.parse(url, Access.byDefault()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Invalid lake URL: expected ");
  }

  @Test
  void zeroByteInAPathIsRefused() {
    assertThatThrownBy(() -> LakeLocation.parse("/data/\u0000", Access.byDefault()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Invalid lake URL: this machine cannot name the folder");
  }
}
