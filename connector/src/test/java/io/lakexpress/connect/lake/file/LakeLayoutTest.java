package io.lakexpress.connect.lake.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LakeLayoutTest {
  private static final Instant RUN = Instant.parse("2026-12-01T03:30:00.987Z");
  private final LakeLayout layout = LakeLayout.below("");

  @Test
  void jobFileNamesRunJobPartitionAndOffset() {
    assertThat(layout.jobFile("tpch_1", "orders", RUN, "j-01ARZ3NDEKTSV4", 3, 4711).value())
        .isEqualTo("tpch_1/orders/part-20261201T033000Z-01ARZ3ND-3-000000004711.parquet");
  }

  @Test
  void subPathStandsBeforeTheSchema() {
    assertThat(LakeLayout.below("/raw/env=prod/").tableFolder("s", "t"))
        .isEqualTo("raw/env=prod/s/t");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a//b", "../x", "a/./b", "a\\b", "a\tb"})
  void subPathThatLeavesTheBaseOrIsUnreadableIsRefused(String subPath) {
    assertThatThrownBy(() -> LakeLayout.below(subPath))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Invalid ");
  }

  @ParameterizedTest
  @CsvSource({
    "a.b.c, a.b/c",
    "orders, default/orders",
    "dbo.orders, dbo/orders",
    "orders., default/orders%2E",
    ".orders, default/%2Eorders",
    "a..b, a%2E/b",
  })
  void foreignTopicBecomesSchemaAndTable(String topic, String folder) {
    assertThat(layout.foreignFile(topic, 2, 0, 999_999_999_999L).value())
        .isEqualTo(folder + "/part-2-0-999999999999.parquet");
  }

  @ParameterizedTest
  @CsvSource({
    "orders, orders",
    "Order Lines, Order Lines",
    "' x ', '%20x%20'",
    "größe-日本🚀, größe-日本🚀",
    "a/b, a%2Fb",
    "a\\b, a%5Cb",
    "a:b*c?d, a%3Ab%2Ac%3Fd",
    "'a\"b<c>d|e', a%22b%3Cc%3Ed%7Ce",
    "50%, 50%25",
    "a=b, a%3Db",
    "a[1]{2}, a%5B1%5D%7B2%7D",
    "_hidden, %5Fhidden",
    "in_side, in_side",
    ".hidden, %2Ehidden",
    "., %2E",
    ".., %2E%2E",
    "../../etc, %2E.%2F..%2Fetc",
    "a.b, a.b",
    "a., a%2E"
  })
  void folderKeepsWhatReadersUnderstandAndEncodesTheRest(String name, String folder) {
    assertThat(LakeLayout.folder(name)).isEqualTo(folder);
  }

  @Test
  void controlCharactersAndHalvesOfSurrogatePairsAreEncoded() {
    assertThat(LakeLayout.folder("a\u0000b\n\u007f\u0085")).isEqualTo("a%00b%0A%7F%C2%85");
    assertThat(LakeLayout.folder("a\uD83Db")).isEqualTo("a%ED%A0%BDb");
  }

  @Test
  void longNamesAreCutAndStayDifferent() {
    String one = LakeLayout.folder("\u65e5".repeat(128));
    String other = LakeLayout.folder("\u65e5".repeat(127) + "\u672c");
    assertThat(one.getBytes(UTF_8)).hasSizeBetween(180, 200);
    assertThat(one).startsWith("\u65e5\u65e5").isNotEqualTo(other);
    String encoded = LakeLayout.folder("?".repeat(128));
    assertThat(encoded.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(200);
    assertThat(encoded).matches("(%3F)+~[0-9a-f]{16}");
    assertThat(LakeLayout.folder("x".repeat(200))).isEqualTo("x".repeat(200));
  }

  @Test
  void jobIdOfAnotherFormIsRefused() {
    assertThatThrownBy(() -> layout.jobFile("s", "t", RUN, "4711", 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid job id '4711': expected j-<letters and digits>");
  }
}
