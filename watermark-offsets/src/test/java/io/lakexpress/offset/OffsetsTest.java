package io.lakexpress.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions and offsets as Connect keeps them, and the cursors inside. */
final class OffsetsTest {
  private static final String UPPER = "2026-12-01T03:30:00.123456";
  private static final TableId ORDERS = new TableId("sales", "orders");

  @Test
  void wholeTablesHaveNoSliceInTheirPartition() {
    OffsetPartition partition = OffsetPartition.of("tpch", ORDERS);

    assertThat(partition.toMap())
        .containsExactly(entry("sync_id", "tpch"), entry("table", "sales.orders"));
    assertThat(OffsetPartition.parse(partition.toMap())).isEqualTo(partition);
  }

  @Test
  void slicesHavePartitionsOfTheirOwn() {
    OffsetPartition partition =
        new OffsetPartition("tpch", new TableId("a.b", "c"), new Slice(1, 4));

    assertThat(partition.toMap())
        .containsExactly(
            entry("sync_id", "tpch"), entry("table", "\"a.b\".c"), entry("slice", "1/4"));
    assertThat(OffsetPartition.parse(partition.toMap())).isEqualTo(partition);
  }

  @ParameterizedTest
  @MethodSource("badPartitions")
  void namesWhatIsWrongWithAPartition(Map<String, ?> map, String message) {
    assertThatThrownBy(() -> OffsetPartition.parse(map))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  static Stream<Arguments> badPartitions() {
    String keys = "': expected sync_id, table and perhaps slice";
    return Stream.of(
        Arguments.of(Map.of(), "Invalid offset partition {}: expected a text under 'sync_id'"),
        Arguments.of(
            Map.of("sync_id", 4),
            "Invalid offset partition {sync_id=4}: expected a text under 'sync_id'"),
        Arguments.of(
            Map.of("sync_id", ""),
            "Invalid offset partition {sync_id=}: expected a text under 'sync_id'"),
        Arguments.of(
            Map.of("sync_id", "s"),
            "Invalid offset partition {sync_id=s}: expected a text under 'table'"),
        Arguments.of(
            Collections.singletonMap("slice", null),
            "Invalid offset partition {slice=null}: expected a text under 'slice'"),
        Arguments.of(Map.of("slice", "4"), "Invalid slice '4': expected for example 1/4"),
        Arguments.of(Map.of("slice", "5/4"), "Invalid slice 5/4: expected 1/n to n/n"),
        Arguments.of(Map.of("Table", "s.t"), "Invalid offset partition key 'Table" + keys),
        Arguments.of(
            Collections.singletonMap(null, "s.t"), "Invalid offset partition key 'null" + keys),
        Arguments.of(
            Map.of("sync_id", "s", "table", "orders"),
            "Invalid table 'orders': '.' is missing at position 7; expected schema.table"));
  }

  @Test
  void refusesAPartitionWithoutASyncId() {
    assertThatThrownBy(() -> OffsetPartition.of("", ORDERS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid sync id '' of table sales.orders: expected at least one character");
  }

  @Test
  void offsetsHoldOnlyWhatTheyKnow() {
    assertThat(TableOffset.adopted("4711").toMap())
        .containsExactly(entry("last_exported_value", "4711"));
    assertThat(TableOffset.closed(null, "r", "j", 0).toMap())
        .containsExactly(entry("run_id", "r"), entry("job_id", "j"), entry("rows", 0L));
    assertThat(TableOffset.open("1", "r", "j", 2, UPPER, null).toMap())
        .containsExactly(
            entry("last_exported_value", "1"),
            entry("run_id", "r"),
            entry("job_id", "j"),
            entry("rows", 2L),
            entry("window_upper", UPPER));
    assertThat(TableOffset.exported("r", "j", 9, "2026-12-01T00:00:00Z").toMap())
        .containsExactly(
            entry("run_id", "r"),
            entry("job_id", "j"),
            entry("rows", 9L),
            entry("exported_at", "2026-12-01T00:00:00Z"));
    assertThat(TableOffset.exporting("r", "j", 3).toMap())
        .containsExactly(entry("run_id", "r"), entry("job_id", "j"), entry("rows", 3L));
  }

  @Test
  void openWindowsKeepTheLastRow() {
    Cursor cursor = new Cursor.Keyed(UPPER, List.of("4711", "ä\"\\\n"));
    TableOffset offset = TableOffset.open(null, "r", "j", 5, UPPER, cursor);

    assertThat(offset.toMap())
        .contains(
            entry("cursor_value", UPPER), entry("cursor_key", "[\"4711\",\"ä\\\"\\\\\\u000a\"]"));
    assertThat(offset.lastRow()).contains(cursor);
    assertThat(offset.isWindowOpen()).isTrue();
    assertThat(offset.watermark()).isEmpty();
    assertThat(offset.job()).contains("j");
  }

  @Test
  void numbersMayComeBackAsIntegers() {
    assertThat(TableOffset.parse(Map.of("run_id", "r", "job_id", "j", "rows", 7)))
        .isEqualTo(TableOffset.exporting("r", "j", 7));
  }

  @Test
  void nullFieldsAreAbsent() {
    Map<String, Object> map = new HashMap<>();
    map.put("last_exported_value", "4711");
    map.put("rows", null);
    map.put("window_upper", null);
    map.put("cursor_key", null);

    assertThat(TableOffset.parse(map)).isEqualTo(TableOffset.adopted("4711"));
  }

  @ParameterizedTest
  @MethodSource("badOffsets")
  void namesWhatIsWrongWithAnOffset(Map<String, ?> map, String message) {
    assertThatThrownBy(() -> TableOffset.parse(map))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  static Stream<Arguments> badOffsets() {
    String quotes = ": expected a text in double quotes";
    String together = "Invalid offset: cursor_value and cursor_key go together, only one is there";
    return Stream.of(
        Arguments.of(
            Map.of("last_exported_value", 4711),
            "Invalid offset field last_exported_value 4711" + quotes),
        Arguments.of(
            Map.of("last_exported_value", ""),
            "Invalid offset field last_exported_value ''" + quotes),
        Arguments.of(
            Map.of("last_exported_value", true),
            "Invalid offset field last_exported_value true" + quotes),
        Arguments.of(
            Map.of("last_exported_value", List.of("1")),
            "Invalid offset field last_exported_value [1]" + quotes),
        Arguments.of(Map.of("exported_at", 1), "Invalid offset field exported_at 1" + quotes),
        Arguments.of(
            Map.of("last_exported", "4711"),
            "Invalid offset field 'last_exported': expected last_exported_value"),
        Arguments.of(
            Collections.singletonMap(null, "4711"),
            "Invalid offset field 'null': expected last_exported_value"),
        Arguments.of(Map.of("rows", "7"), "Invalid offset field rows 7: expected a whole number"),
        Arguments.of(Map.of("rows", 7.0), "Invalid offset field rows 7.0: expected a whole number"),
        Arguments.of(Map.of("rows", -1L), "Invalid rows -1: expected 0 or more"),
        Arguments.of(Map.of("cursor_value", "1"), together),
        Arguments.of(Map.of("cursor_key", "[\"1\"]"), together),
        Arguments.of(
            Map.of("cursor_value", "1", "cursor_key", "[\"1\"]"),
            "Invalid offset: a cursor without window_upper"),
        Arguments.of(
            Map.of("window_upper", "1"),
            "Invalid offset: window_upper without run_id and job_id; to set a watermark, write"
                + " last_exported_value alone"));
  }

  @Property
  void offsetsParseBack(@ForAll("offsets") TableOffset offset) {
    assertThat(TableOffset.parse(offset.toMap())).isEqualTo(offset);
  }

  @Provide
  Arbitrary<TableOffset> offsets() {
    Arbitrary<String> text = Arbitraries.strings().ofMinLength(1).ofMaxLength(8);
    Arbitrary<Long> rows = Arbitraries.longs().greaterOrEqual(0);
    return Arbitraries.oneOf(
        text.map(TableOffset::adopted),
        Combinators.combine(text.injectNull(0.2), text, text, rows).as(TableOffset::closed),
        Combinators.combine(text.injectNull(0.2), text, text, rows, text, cursors().injectNull(0.2))
            .as(TableOffset::open),
        Combinators.combine(text, text, rows).as(TableOffset::exporting),
        Combinators.combine(text, text, rows, text).as(TableOffset::exported),
        Combinators.combine(text, rows)
            .as((value, count) -> new TableOffset(value, null, null, count, null, null, null)));
  }

  @Property
  void partitionsParseBack(@ForAll("partitions") OffsetPartition partition) {
    assertThat(OffsetPartition.parse(partition.toMap())).isEqualTo(partition);
  }

  @Provide
  Arbitrary<OffsetPartition> partitions() {
    Arbitrary<String> text = Arbitraries.strings().ofMinLength(1).ofMaxLength(8);
    return Combinators.combine(text, text, text, Arbitraries.integers().between(1, 9))
        .as(
            (syncId, schema, table, count) ->
                new OffsetPartition(syncId, new TableId(schema, table), new Slice(count, count)));
  }

  @Property
  void cursorsParseBack(@ForAll("cursors") Cursor cursor) {
    assertThat(Cursor.parse(cursor.value(), cursor.keyText())).isEqualTo(cursor);
    assertThat(cursor.keyText().chars().noneMatch(c -> c < ' ' || Character.isSurrogate((char) c)))
        .as("the text survives every encoding: %s", cursor.keyText())
        .isTrue();
  }

  @Provide
  Arbitrary<Cursor> cursors() {
    Arbitrary<String> text = Arbitraries.strings().all().ofMinLength(1).ofMaxLength(8);
    Arbitrary<Cursor> keyed =
        Combinators.combine(text, text.list().ofMinSize(1).ofMaxSize(4)).as(Cursor.Keyed::new);
    Arbitrary<Cursor> hashed =
        Combinators.combine(text, text, Arbitraries.longs().greaterOrEqual(0), text)
            .as(Cursor.Hashed::new);
    return Arbitraries.oneOf(keyed, hashed);
  }

  @Test
  void aKeyOfThreeTextsIsNoHash() {
    assertThat(Cursor.parse("v", "[\"a\",\"2\",\"c\"]"))
        .isEqualTo(new Cursor.Keyed("v", List.of("a", "2", "c")));
    assertThat(Cursor.parse("v", "[\"a\",2,\"c\"]")).isEqualTo(new Cursor.Hashed("v", "a", 2, "c"));
  }

  @Test
  void loneSurrogatesAndBlanksReadBack() {
    Cursor cursor = new Cursor.Keyed("v", List.of("\ud83d\ude00\ud83d", "\u2028\u0000", " "));

    assertThat(Cursor.parse("v", cursor.keyText())).isEqualTo(cursor);
    assertThat(Cursor.parse("v", " [ \"\\u00E4\\/\\b\\f\\n\\r\\t\" , \"\" ] "))
        .isEqualTo(new Cursor.Keyed("v", List.of("ä/\b\f\n\r\t", "")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[",
        "]",
        "4711",
        "[\"a\"",
        "[\"a]",
        "[\"a\",]",
        "[,\"a\"]",
        "[\"a\"] x",
        "[\"a\" \"b\"]",
        "[\"\\x\"]",
        "[\"\\u12\"]",
        "[\"\\u+041\"]",
        "[\"\\u-001\"]",
        "[\"\\u٠٠٤١\"]",
        "[\"\\",
        "[1-2]",
        "[99999999999999999999]",
        "[null]",
        "[[\"a\"]]",
        "{\"a\":1}"
      })
  void refusesWhatIsNoJsonArray(String text) {
    assertThatThrownBy(() -> Cursor.parse("v", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid JSON array " + text + ": expected for example [\"4711\"]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"[]", "[4711]", "[\"a\",1]", "[\"a\",1,2]", "[\"a\",1,\"b\",\"c\"]"})
  void refusesACursorOfAnotherShape(String text) {
    assertThatThrownBy(() -> Cursor.parse("v", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid cursor_key " + text + ": expected a JSON array of texts");
  }

  @Test
  void refusesCursorsThatMeanNothing() {
    assertThatThrownBy(() -> new Cursor.Keyed("v", List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid cursor at v: expected at least one key column");
    assertThatThrownBy(() -> Cursor.parse("v", "[\"h\",-1,\"f\"]"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid cursor count -1: expected 0 or more");
    assertThatThrownBy(() -> new Cursor.Keyed("v", Arrays.asList("a", null)))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void keyColumnsParseBack() {
    Cursor cursor = new Cursor.Keyed(UPPER, List.of("1"), Cursor.columnsText(List.of("Order Id")));
    Map<String, Object> map = TableOffset.open(null, "r-1", "j-1", 1, UPPER, cursor).toMap();

    assertThat(map).containsEntry("cursor_columns", "[\"Order Id\"]");
    assertThat(TableOffset.parse(map).lastRow()).contains(cursor);
  }
}
