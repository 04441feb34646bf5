package io.lakexpress.watermark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names, table ids, slices and comma lists. */
final class NamesTest {
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          orders, false, orders;Orders, orders
          ORDERS, false, Orders;lines,  Orders
          ORDERS, false, Orders;orders, -
          orders, false, Orders;orders, orders
          other,  false, Orders,        -
          Orders, true,  Orders;orders, Orders
          ORDERS, true,  Orders,        -
          """)
  void namesMatchExactlyFirst(String text, boolean quoted, String candidates, String found) {
    assertThat(new Name(text, quoted).resolve(List.of(candidates.split(";"))).orElse("-"))
        .isEqualTo(found);
  }

  @Test
  void refusesAnEmptyName() {
    assertThatThrownBy(() -> new Name("", true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid name '': expected at least one character");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          s        | t         | s.t
          a.b      | c"d       | "a.b"."c""d"
          Order    | Line Item | Order.Line Item
          ' s'     | 't '      | " s"."t "
          Ü        | 名前       | Ü.名前
          s:x      | t@!,      | s:x.t@!,
          """)
  void tableIdsQuoteOnlyWhatWouldNotReadBack(String schema, String table, String text) {
    TableId id = new TableId(schema, table);

    assertThat(id).hasToString(text);
    assertThat(TableId.parse(text)).isEqualTo(id);
  }

  @Test
  void tableIdsReadQuotesNobodyNeeds() {
    assertThat(TableId.parse(" \"s\" . t ")).isEqualTo(new TableId("s", "t"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          ''     | a name is missing at position 1
          t      | '''.'' is missing at position 2'
          .t     | a name is missing at position 1
          s.     | a name is missing at position 3
          d.s.t  | '''.t'' is left over'
          s."t   | the double quote at position 3 is not closed
          s."t"x | '''x'' is left over'
          """)
  void refusesWhatIsNoTableId(String text, String reason) {
    assertThatThrownBy(() -> TableId.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid table '" + text + "': " + reason + "; expected schema.table");
  }

  @Test
  void refusesATableWithoutSchemaOrName() {
    assertThatThrownBy(() -> new TableId("", "t"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid table '.t': expected a schema and a table name");
    assertThatThrownBy(() -> new TableId("s", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid table 's.': expected a schema and a table name");
  }

  @Test
  void tableIdsSortBySchemaThenTable() {
    TableId first = new TableId("a", "a");
    TableId second = new TableId("a", "b");
    TableId third = new TableId("b", "a");

    assertThat(List.of(third, second, first).stream().sorted().toList())
        .isEqualTo(List.of(first, second, third));
  }

  @Property
  void tableIdsParseBack(@ForAll("parts") String schema, @ForAll("parts") String table) {
    TableId id = new TableId(schema, table);

    assertThat(TableId.parse(id.toString())).isEqualTo(id);
  }

  @Provide
  Arbitrary<String> parts() {
    return Arbitraries.oneOf(
        Arbitraries.strings().withChars("a.\" :@!,\t\u00a0\u2003名").ofMinLength(1).ofMaxLength(6),
        Arbitraries.strings().ofMinLength(1).ofMaxLength(6));
  }

  @Property
  void slicesParseBack(@ForAll @IntRange(min = 1) int one, @ForAll @IntRange(min = 1) int other) {
    Slice slice = new Slice(Math.min(one, other), Math.max(one, other));

    assertThat(Slice.parse(slice.toString())).isEqualTo(slice);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "0/1", "1/0", "01/4", "1/4/2", " 1/4", "-1/4", "1/9999999999"})
  void refusesWhatIsNoSlice(String text) {
    assertThatThrownBy(() -> Slice.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid slice '" + text + "': expected for example 1/4");
  }

  @ParameterizedTest
  @CsvSource({"0,1", "2,1", "-1,4", "0,0"})
  void refusesASliceOutsideItsCount(int index, int count) {
    assertThatThrownBy(() -> new Slice(index, count))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid slice " + index + "/" + count + ": expected 1/n to n/n");
  }

  @Test
  void slicesSortByCountThenIndex() {
    assertThat(
            List.of(new Slice(2, 3), new Slice(1, 3), new Slice(2, 2)).stream().sorted().toList())
        .isEqualTo(List.of(new Slice(2, 2), new Slice(1, 3), new Slice(2, 3)));
    assertThat(Slice.WHOLE.isWhole()).isTrue();
    assertThat(new Slice(1, 2).isWhole()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          ''              | ''
          ' , ,'          | ''
          a               | a
          ' a , b,,c '    | a;b;c
          "a,b",c         | "a,b";c
          "a""b,c" , d    | "a""b,c";d
          a,"b,c          | a;"b,c
          """)
  void commaListsKeepQuotedCommas(String text, String items) {
    assertThat(String.join(";", CommaList.split(text))).isEqualTo(items);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          DATE,       DATE
          DATETIME,   LOCAL_TIME;INSTANT
          TIMESTAMP,  LOCAL_TIME;INSTANT
          INTEGER,    INTEGER
          ROWVERSION, ROWVERSION
          """)
  void typeWordsAcceptTheKindsTheyMean(WatermarkType type, String kinds) {
    for (ColumnKind kind : ColumnKind.values()) {
      assertThat(type.accepts(kind))
          .as("%s accepts %s", type, kind)
          .isEqualTo(List.of(kinds.split(";")).contains(kind.name()));
    }
    assertThat(WatermarkType.parse(type.text())).contains(type);
  }
}
