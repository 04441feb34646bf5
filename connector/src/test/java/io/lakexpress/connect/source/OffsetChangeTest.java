package io.lakexpress.connect.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakexpress.watermark.TableSpec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class OffsetChangeTest {
  private final FakeLakexpressDb lakexpressDb =
      new FakeLakexpressDb()
          .planned("sales.orders", "sales.orders:day:date:i!append")
          .planned("sales.items", "sales.items:at:timestamp:i!append")
          .planned("sales.parts", "");
  private final FakeSourceDatabase source =
      new FakeSourceDatabase()
          .table("sales.orders", "day date")
          .table("sales.items", "id bigint", "At timestamp")
          .table("sales.parts", "id bigint");

  private void apply(Map<Map<String, ?>, Map<String, ?>> offsets) {
    new OffsetChange(
            "shop",
            TableSpec.parseList("sales.orders:day:date, sales.items:at:timestamp"),
            lakexpressDb,
            () -> source)
        .apply(offsets);
  }

  private static Map<String, ?> partition(String table) {
    return Map.of("sync_id", "shop", "table", table);
  }

  private static Map<String, ?> watermark(Object value) {
    return Map.of("last_exported_value", value);
  }

  /** A change of one partition; a null offset removes it. */
  private static Map<Map<String, ?>, Map<String, ?>> one(
      Map<String, ?> partition, Map<String, ?> offset) {
    Map<Map<String, ?>, Map<String, ?>> offsets = new HashMap<>();
    offsets.put(partition, offset);
    return offsets;
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      Map<String, ?> partition, Map<String, ?> offset) {
    AbstractThrowableAssert<?, ? extends Throwable> refused =
        assertThatThrownBy(() -> apply(one(partition, offset)))
            .isInstanceOf(ConnectException.class);
    assertThat(lakexpressDb.changes()).isEmpty();
    return refused;
  }

  @Test
  void watermarkIsMovedAndOpenJobsAreAbandoned() {
    apply(one(partition("sales.orders"), watermark("2026-11-01")));

    assertThat(lakexpressDb.changes())
        .containsExactly(
            "set[shop, WatermarkMove[table=sales.orders, column=day, type=date,"
                + " value=2026-11-01], OFFSETS_API]",
            "abandon[shop, sales.orders, Its offset was set to 2026-11-01 by hand]");
  }

  @Test
  void otherSpellingOfATableIsRefusedWithTheRightOne() {
    assertRefused(partition("sales.ORDERS"), watermark("2026-11-01"))
        .hasMessage(
            "Cannot set the offset of table sales.ORDERS: it is not a table of sync shop; its"
                + " name is spelled sales.orders");
  }

  @Test
  void formOfATimeFollowsTheColumn() {
    apply(one(partition("sales.items"), watermark("2026-11-01T10:00:00")));

    assertThat(lakexpressDb.changes().get(0)).contains("column=At, type=timestamp");
    assertThat(source.isClosed()).isTrue();
    assertThatThrownBy(
            () -> apply(one(partition("sales.items"), watermark("2026-11-01T10:00:00Z"))))
        .hasMessage(
            "Cannot set the offset of table sales.items: Invalid watermark '2026-11-01T10:00:00Z':"
                + " expected the form 2026-12-01T03:30:00.123456");
  }

  @Test
  void formOfATimeFollowsTheKnownWatermarkWithoutTheSource() {
    source.down();
    lakexpressDb.watermark("sales.items", "At", "timestamp", "2026-11-01T10:00:00Z");

    apply(one(partition("sales.items"), watermark("2026-10-01T10:00:00Z")));

    assertThat(lakexpressDb.changes()).hasSize(2);
  }

  @Test
  void unknownFormIsRefusedWhileTheSourceIsDown() {
    source.down();

    assertRefused(partition("sales.items"), watermark("2026-10-01T10:00:00Z"))
        .hasMessage(
            "Cannot set the offset of table sales.items: the type of its watermark column is not"
                + " known yet, and Cannot reach the source database: connection refused");
  }

  @Test
  void nonsenseIsRefusedWithWhatIsExpected() {
    assertRefused(partition("sales.orders"), watermark("yesterday"))
        .hasMessage(
            "Cannot set the offset of table sales.orders: Invalid watermark 'yesterday': expected"
                + " the form 2026-12-01");
    assertRefused(partition("sales.orders"), watermark(20261101))
        .hasMessageContaining("expected a text in double quotes");
    assertRefused(partition("sales.orders"), Map.of("last_exported", "2026-11-01"))
        .hasMessageContaining("Invalid offset field 'last_exported': expected last_exported_value");
    assertRefused(
            partition("sales.orders"), Map.of("last_exported_value", "2026-11-01", "rows", 5L))
        .hasMessageContaining(
            "expected last_exported_value alone, not [last_exported_value, rows]");
    Map<String, Object> empty = new HashMap<>();
    empty.put("last_exported_value", null);
    assertRefused(partition("sales.orders"), empty)
        .hasMessageContaining("to start the table anew set the whole offset to null");
  }

  @Test
  void otherSyncsTablesAndSlicesAreRefused() {
    assertRefused(Map.of("sync_id", "tpch", "table", "sales.orders"), watermark("2026-11-01"))
        .hasMessage("Invalid sync_id 'tpch': expected 'shop'");
    assertRefused(partition("sales.nothing"), watermark("2026-11-01"))
        .hasMessage(
            "Cannot set the offset of table sales.nothing: it is not a table of sync shop: there are"
                + " 3, such as sales.items, sales.orders, sales.parts");
    assertRefused(partition("sales.order"), watermark("2026-11-01"))
        .hasMessage(
            "Cannot set the offset of table sales.order: it is not a table of sync shop: nearest"
                + " are sales.orders");
    assertRefused(
            Map.of("sync_id", "shop", "table", "sales.orders", "slice", "1/2"),
            watermark("2026-11-01"))
        .hasMessageStartingWith("Cannot set the offset of slice 1/2 of table sales.orders");
    assertRefused(Map.of("table", "sales.orders"), watermark("2026-11-01"))
        .hasMessageContaining("expected a text under 'sync_id'");
    assertRefused(partition("sales.parts"), watermark("4711"))
        .hasMessage(
            "Cannot set the offset of table sales.parts: it is exported in full in every run, so"
                + " its offset can only be set to null");
  }

  @Test
  void tableThatLeftTheConfigurationCanOnlyBeForgotten() {
    lakexpressDb
        .planned("sales.old", "sales.old:day:date:i!append")
        .watermark("sales.old", "day", "date", "2026-11-01");

    assertRefused(partition("sales.old"), watermark("2026-10-01"))
        .hasMessage(
            "Cannot set the offset of table sales.old: incremental.tables does not name it any"
                + " more, so its offset can only be set to null");
    apply(one(partition("sales.old"), null));

    assertThat(lakexpressDb.changes())
        .containsExactly(
            "clear[shop, sales.old, OFFSETS_API]",
            "abandon[shop, sales.old, Its offset was removed by hand, the table starts anew]");
  }

  @Test
  void formOfEveryTypeIsToldByAnExample() {
    for (String[] form :
        new String[][] {
          {"date", "2026-12-01T00:00:00", "2026-12-01"},
          {"bigint", "4711.0", "4711"},
          {"timestamp", "2026-12-01 03:30:00", "2026-12-01T03:30:00.123456"},
          {"timestamptz", "2026-12-01T03:30:00+01:00", "2026-12-01T03:30:00.123456Z"},
          {"timestamptz", "2026-12-01T03:30:00.100Z", "2026-12-01T03:30:00.1Z"},
        }) {
      source.table("sales.t", "c " + form[0]);
      String word =
          form[0].equals("bigint") ? "integer" : form[0].equals("date") ? "date" : "timestamp";
      assertThatThrownBy(
              () ->
                  new OffsetChange(
                          "shop",
                          TableSpec.parseList("sales.t:c:" + word),
                          lakexpressDb,
                          () -> source)
                      .apply(one(partition("sales.t"), watermark(form[1]))))
          .hasMessage(
              "Cannot set the offset of table sales.t: Invalid watermark '%s': expected the form %s",
              form[1], form[2]);
    }
  }

  @Test
  void nothingIsChangedIfOneOfSeveralIsRefused() {
    Map<Map<String, ?>, Map<String, ?>> offsets = new LinkedHashMap<>();
    offsets.put(partition("sales.orders"), watermark("2026-11-01"));
    offsets.put(partition("sales.items"), watermark("soon"));

    assertThatThrownBy(() -> apply(offsets)).isInstanceOf(ConnectException.class);
    assertThat(lakexpressDb.changes()).isEmpty();
  }

  @Test
  void removedOffsetsStartTheirTablesAnew() {
    lakexpressDb.watermark("sales.orders", "day", "date", "2026-11-01");
    Map<Map<String, ?>, Map<String, ?>> all = new LinkedHashMap<>();
    all.put(partition("sales.orders"), null);
    all.put(Map.of("sync_id", "shop", "table", "sales.orders", "slice", "1/2"), null);
    all.put(partition("sales.parts"), null);
    all.put(Map.of("sync_id", "shop", "table", "sales.gone", "slice", "2/2"), null);
    all.put(Map.of("sync_id", "other", "table", "sales.orders"), null);
    all.put(Map.of("protocol", "1"), null);

    apply(all);

    String anew = "Its offset was removed by hand, the table starts anew]";
    assertThat(lakexpressDb.changes())
        .isEqualTo(
            List.of(
                "clear[shop, sales.orders, OFFSETS_API]",
                "abandon[shop, sales.orders, " + anew,
                "abandon[shop, sales.parts, " + anew,
                "abandon[shop, sales.gone, " + anew));
  }

  @Test
  void tableIsSetWhileItsSlicesAreRemoved() {
    Map<Map<String, ?>, Map<String, ?>> offsets = new LinkedHashMap<>();
    offsets.put(Map.of("sync_id", "shop", "table", "sales.orders", "slice", "1/2"), null);
    offsets.put(partition("sales.orders"), watermark("2026-11-01"));

    apply(offsets);

    assertThat(lakexpressDb.changes()).hasSize(2);
    assertThat(lakexpressDb.changes().get(0)).startsWith("set[shop");
  }

  @Test
  void lakexpressDbThatIsDownIsTheReasonOfARefusal() {
    lakexpressDb.down();

    assertRefused(partition("sales.orders"), watermark("2026-11-01"))
        .hasMessage(
            "Cannot alter offsets of sync shop: the LakeXpress DB has to follow, but Cannot reach"
                + " the LakeXpress DB: connection refused");
    apply(one(Map.of("protocol", "1"), null));
  }
}
