package io.lakexpress.watermark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TableSpecTest {
  private static final String FORM =
      "; expected schema.table:column:type[:direction][@start_value][!strategy], for example"
          + " sales.orders:created_at:datetime";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          s.t:c:date                                   | s.t:c:date:i!append
          s.t:c:datetime:e                             | s.t:c:datetime:e!append
          s.t:c:timestamp:E                            | s.t:c:timestamp:e!append
          s.t:c:int                                    | s.t:c:integer:i!append
          s.t:c:Integer@42                             | s.t:c:integer:i@42!append
          s.t:c:rowversion!UPSERT                      | s.t:c:rowversion:e!upsert
          s.t:c:rowversion:e@0x7D1                     | s.t:c:rowversion:e@0x7D1!append
          s.t:c:date!delete_insert                     | s.t:c:date:i!delete-insert
          s.t:c:date:e@2024-01-01!delete-insert        | s.t:c:date:e@2024-01-01!delete-insert
          s.t:c:datetime:i@2024-01-01 00:00:00!upsert  | s.t:c:datetime:i@2024-01-01 00:00:00!upsert
          s.t:c:timestamp@2024-01-01T00:00:00+02:00    | s.t:c:timestamp:i@2024-01-01T00:00:00+02:00!append
          s.t:c:date@a@b                               | s.t:c:date:i@a@b!append
          s.t:c:date@a!b!append                        | s.t:c:date:i@a!b!append
          ' s . t : c : date : e @ 2024-01-01 ! upsert ' | s.t:c:date:e@2024-01-01!upsert
          s."Order Lines":"Up:d@t!d":timestamp         | s."Order Lines":"Up:d@t!d":timestamp:i!append
          "a.b" . "c""d" : "e" :date                   | "a.b"."c""d":"e":date:i!append
          "Ü,ß".t:名:date                              | "Ü,ß".t:名:date:i!append
          s.t:a.b:date                                 | s.t:a.b:date:i!append
          s.t:c@x!y:date                               | s.t:c@x!y:date:i!append
          """)
  void readsEveryPartOfASpec(String written, String canonical) {
    TableSpec spec = TableSpec.parse(written);

    assertThat(spec).hasToString(canonical);
    assertThat(TableSpec.parse(canonical)).isEqualTo(spec);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          ''                      | a name is missing at position 1
          orders                  | '''.'' is missing at position 7'
          orders:c:date           | '''.'' is missing at position 7'
          .orders:c:date          | a name is missing at position 1
          s.:c:date               | a name is missing at position 3
          d.s.t:c:date            | ''':'' is missing at position 4'
          s.t                     | ''':'' is missing at position 4'
          s.t:c                   | ''':'' is missing at position 6'
          s.t::date               | a name is missing at position 5
          s.t:c:                  | the type is missing
          s.t:c:@2024-01-01       | the type is missing
          s.t:c:time              | 'unknown type ''time'' (date, datetime, timestamp, integer, rowversion)'
          s.t:c:date:             | 'unknown direction '''' (i includes d_new, e excludes it)'
          s.t:c:date:x            | 'unknown direction ''x'' (i includes d_new, e excludes it)'
          s.t:c:rowversion:i      | a rowversion has no direction but e
          s.t:c:date:i:j          | '''j'' follows the direction'
          s.t:c:date@             | 'the start value after ''@'' is missing'
          s.t:c:date@!upsert      | 'the start value after ''@'' is missing'
          s.t:c:date!             | 'unknown strategy '''' (append, upsert, delete-insert)'
          s.t:c:date!merge        | 'unknown strategy ''merge'' (append, upsert, delete-insert)'
          s.t:c:date!upsert@1     | 'unknown strategy ''upsert@1'' (append, upsert, delete-insert)'
          s."t:c:date             | the double quote at position 3 is not closed
          s."":c:date             | a quoted name is empty at position 3
          s.t"x":c:date           | a double quote stands inside the unquoted name t"x"
          s."t"x:c:date           | ''':'' is missing at position 6'
          """)
  void namesTheSpecTheFaultAndTheForm(String spec, String reason) {
    assertThatThrownBy(() -> TableSpec.parse(spec))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid table spec '" + spec + "': " + reason + FORM);
  }

  @Test
  void wordsDoNotDependOnTheMachinesLanguage() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("tr-TR"));
    try {
      assertThat(TableSpec.parse("s.t:c:DATETIME:I!DELETE-INSERT"))
          .hasToString("s.t:c:datetime:i!delete-insert");
      assertThat(TableSpec.parse("s.t:c:integer")).hasToString("s.t:c:integer:i!append");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void listsKeepCommasInsideQuotedNames() {
    assertThat(TableSpec.parseList("s.t:c:date, s.\"a,b\":c:int:e@4,,"))
        .extracting(TableSpec::toString)
        .containsExactly("s.t:c:date:i!append", "s.\"a,b\":c:integer:e@4!append");
    assertThat(TableSpec.parseList(" , ")).isEmpty();
  }

  @Test
  void startValueIsEmptyUnlessWritten() {
    assertThat(TableSpec.parse("s.t:c:date").startValue()).isEmpty();
    assertThat(TableSpec.parse("s.t:c:date@2024-01-01").startValue()).contains("2024-01-01");
  }

  @ParameterizedTest
  @CsvSource({"''", "' '", "' 4'", "'4 '"})
  void refusesAStartValueThatWouldNotReadBack(String start) {
    Name name = new Name("n", false);
    assertThatThrownBy(
            () ->
                new TableSpec(
                    name,
                    name,
                    name,
                    WatermarkType.INTEGER,
                    Direction.INCLUSIVE,
                    start,
                    LoadStrategy.APPEND))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Invalid start value '" + start + "': expected a text without blanks around it");
  }

  @Test
  void refusesARowversionWhoseWindowWouldIncludeItsEnd() {
    Name name = new Name("n", false);
    assertThatThrownBy(
            () ->
                new TableSpec(
                    name,
                    name,
                    name,
                    WatermarkType.ROWVERSION,
                    Direction.INCLUSIVE,
                    null,
                    LoadStrategy.APPEND))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid direction i of a rowversion: expected e");
  }

  @Property
  void textFormParsesBack(@ForAll("specs") TableSpec spec) {
    assertThat(TableSpec.parse(spec.toString())).isEqualTo(spec);
    assertThat(TableSpec.parseList(spec + "," + spec)).containsExactly(spec, spec);
  }

  @Provide
  Arbitrary<TableSpec> specs() {
    Arbitrary<String> starts =
        Arbitraries.strings()
            .withChars("2024-01 :T.+!@Zé")
            .ofMinLength(1)
            .ofMaxLength(12)
            .map(String::strip)
            .filter(text -> !text.isEmpty());
    return Combinators.combine(
            names(),
            names(),
            names(),
            Arbitraries.of(WatermarkType.class),
            Arbitraries.of(Direction.class),
            starts.injectNull(0.3),
            Arbitraries.of(LoadStrategy.class))
        .as(
            (schema, table, column, type, direction, start, strategy) ->
                new TableSpec(
                    schema,
                    table,
                    column,
                    type,
                    type == WatermarkType.ROWVERSION ? Direction.EXCLUSIVE : direction,
                    start,
                    strategy));
  }

  private static Arbitrary<Name> names() {
    Arbitrary<Name> quoted =
        Arbitraries.strings()
            .withChars("aZ. :@!,\"'\\/名é\n\t")
            .ofMinLength(1)
            .ofMaxLength(8)
            .map(text -> new Name(text, true));
    Arbitrary<Name> unquoted =
        Arbitraries.strings()
            .withChars("aZ_@!$名é")
            .ofMinLength(1)
            .ofMaxLength(8)
            .map(text -> new Name(text, false));
    return Arbitraries.oneOf(quoted, unquoted);
  }
}
