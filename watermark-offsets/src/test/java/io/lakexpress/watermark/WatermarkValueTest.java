package io.lakexpress.watermark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WatermarkValueTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          DATE,       2026-12-01
          DATE,       0000-01-01
          DATE,       -0043-03-15
          DATE,       +10000-01-01
          LOCAL_TIME, 2026-12-01T03:30:00
          LOCAL_TIME, 2026-12-01T03:30:00.1
          LOCAL_TIME, 2026-12-01T03:30:00.123456
          LOCAL_TIME, 2026-12-01T03:30:00.123456789
          LOCAL_TIME, -4712-01-01T00:00:00
          LOCAL_TIME, +294276-12-31T23:59:59.999999
          INSTANT,    2026-12-01T03:30:00Z
          INSTANT,    2026-12-01T03:30:00.123456Z
          INSTANT,    -4712-01-01T00:00:00Z
          INSTANT,    +294276-12-31T23:59:59.999999Z
          INTEGER,    4711
          INTEGER,    0
          INTEGER,    -9223372036854775808
          INTEGER,    9223372036854775807
          ROWVERSION, 0
          ROWVERSION, 18446744073709551615
          """)
  void canonicalTextReadsBack(ColumnKind kind, String text) {
    WatermarkValue value = WatermarkValue.parse(kind, text);

    assertThat(value.kind()).isEqualTo(kind);
    assertThat(value.text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          DATE       | ''                           | 2026-12-01
          DATE       | 2026-02-30                   | 2026-12-01
          DATE       | 2026-12-01T00:00:00          | 2026-12-01
          DATE       | ' 2026-12-01'                | 2026-12-01
          DATE       | 01.12.2026                   | 2026-12-01
          DATE       | 4711                         | 2026-12-01
          LOCAL_TIME | 2026-12-01                   | 2026-12-01T03:30:00.123456
          LOCAL_TIME | 2026-12-01 03:30:00          | 2026-12-01T03:30:00.123456
          LOCAL_TIME | 2026-12-01T03:30:00Z         | 2026-12-01T03:30:00.123456
          LOCAL_TIME | 2026-02-30T00:00:00          | 2026-12-01T03:30:00.123456
          LOCAL_TIME | 2026-12-01T24:00:00          | 2026-12-01T03:30:00.123456
          LOCAL_TIME | 2026-12-01T03:30:00.10       | 2026-12-01T03:30:00.1
          INSTANT    | 2026-12-01T03:30:00          | 2026-12-01T03:30:00.123456Z
          INSTANT    | 2026-12-01T03:30:00+00:00    | 2026-12-01T03:30:00.123456Z
          INSTANT    | Z                            | 2026-12-01T03:30:00.123456Z
          INSTANT    | 2026-12-01T03:30:00.100Z     | 2026-12-01T03:30:00.1Z
          INTEGER    | ''                           | 4711
          INTEGER    | 4.0                          | 4711
          INTEGER    | 9223372036854775808          | 4711
          INTEGER    | +5                           | 5
          INTEGER    | 007                          | 7
          INTEGER    | ٤٧                           | 47
          ROWVERSION | -1                           | 2001 (the eight bytes as an unsigned number)
          ROWVERSION | 0x7D1                        | 2001 (the eight bytes as an unsigned number)
          ROWVERSION | 18446744073709551616         | 2001 (the eight bytes as an unsigned number)
          """)
  void refusesWhatIsNotCanonical(ColumnKind kind, String text, String expected) {
    assertThatThrownBy(() -> WatermarkValue.parse(kind, text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid watermark '" + text + "': expected the form " + expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          DATE       | 2024-01-01                       | 2024-01-01
          DATE       | ' 2024-01-01 '                   | 2024-01-01
          LOCAL_TIME | 2024-07-01                       | 2024-07-01T00:00:00
          LOCAL_TIME | 2024-07-01 12:30                 | 2024-07-01T12:30:00
          LOCAL_TIME | 2024-07-01 12:30:00.123456       | 2024-07-01T12:30:00.123456
          LOCAL_TIME | 2024-07-01t12:30:00              | 2024-07-01T12:30:00
          LOCAL_TIME | 2024-07-01T12:30:00Z             | 2024-07-01T14:30:00
          LOCAL_TIME | 2024-07-01 12:30:00-05:00        | 2024-07-01T19:30:00
          LOCAL_TIME | -0043-03-15                      | -0043-03-15T00:00:00
          LOCAL_TIME | +10000-01-01 01:00:00            | +10000-01-01T01:00:00
          LOCAL_TIME | +10000-01-01                     | +10000-01-01T00:00:00
          INSTANT    | 2024-07-01                       | 2024-06-30T22:00:00Z
          INSTANT    | 2024-07-01 12:30:00              | 2024-07-01T10:30:00Z
          INSTANT    | 2024-07-01 12:30:00+02           | 2024-07-01T10:30:00Z
          INSTANT    | 2024-07-01 12:30:00.5 +05:30     | 2024-07-01T07:00:00.5Z
          INSTANT    | 2024-07-01T12:30:00z             | 2024-07-01T12:30:00Z
          INSTANT    | 2024-03-31 02:30:00              | 2024-03-31T01:30:00Z
          INSTANT    | 2024-10-27 02:30:00              | 2024-10-27T00:30:00Z
          INTEGER    | 42                               | 42
          INTEGER    | -42                              | -42
          ROWVERSION | 2001                             | 2001
          ROWVERSION | 0x00000000000007D1               | 2001
          ROWVERSION | 0XFFFFFFFFFFFFFFFF               | 18446744073709551615
          """)
  void readsStartValuesAsPeopleWriteThem(ColumnKind kind, String written, String text) {
    assertThat(WatermarkValue.parseStart(kind, written, BERLIN).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          DATE       | 2024-01-01 00:00:00         | 2026-12-01
          DATE       | yesterday                   | 2026-12-01
          LOCAL_TIME | 2024-02-30                  | 2026-12-01T03:30:00.123456
          LOCAL_TIME | 2024-01-01 25:00:00         | 2026-12-01T03:30:00.123456
          LOCAL_TIME | 2024-01-01 00:00:00 UTC     | 2026-12-01T03:30:00.123456
          LOCAL_TIME | T                           | 2026-12-01T03:30:00.123456
          LOCAL_TIME | a!b                         | 2026-12-01T03:30:00.123456
          INSTANT    | 2024-01-01 00:00:00+25:00   | 2026-12-01T03:30:00.123456Z
          INSTANT    | 2024-01-01Z                 | 2026-12-01T03:30:00.123456Z
          INSTANT    | +                           | 2026-12-01T03:30:00.123456Z
          INTEGER    | 2024-01-01                  | 4711
          INTEGER    | 1e3                         | 4711
          ROWVERSION | 0x                          | 2001 (the eight bytes as an unsigned number)
          ROWVERSION | 0x1FFFFFFFFFFFFFFFF         | 2001 (the eight bytes as an unsigned number)
          """)
  void refusesAStartValueOfAnotherForm(ColumnKind kind, String text, String expected) {
    assertThatThrownBy(() -> WatermarkValue.parseStart(kind, text, BERLIN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Invalid start value '" + text + "': expected the form " + expected);
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          DATE,       -0001-12-31,                 0000-01-01
          DATE,       9999-12-31,                  +10000-01-01
          LOCAL_TIME, 2026-12-01T03:30:00.123456,  2026-12-01T03:30:00.123457
          INSTANT,    2026-12-01T03:30:00Z,        2026-12-01T03:30:00.000001Z
          INTEGER,    9,                           10
          INTEGER,    -1,                          0
          ROWVERSION, 9223372036854775807,         9223372036854775808
          ROWVERSION, 9,                           18446744073709551615
          """)
  void valuesCompareAsTheirColumnDoes(ColumnKind kind, String lower, String higher) {
    WatermarkValue low = WatermarkValue.parse(kind, lower);
    WatermarkValue high = WatermarkValue.parse(kind, higher);

    assertThat(low).isLessThan(high);
    assertThat(high).isGreaterThan(low);
    assertThat(low).isEqualByComparingTo(WatermarkValue.parse(kind, lower));
  }

  @Property
  void textFormParsesBack(@ForAll("values") WatermarkValue value) {
    assertThat(WatermarkValue.parse(value.kind(), value.text())).isEqualTo(value);
    assertThat(WatermarkValue.parseStart(value.kind(), value.text(), BERLIN)).isEqualTo(value);
  }

  @Property
  void equalValuesHaveOneText(
      @ForAll("values") WatermarkValue one, @ForAll("values") WatermarkValue other) {
    assertThat(one.text().equals(other.text()) && one.kind() == other.kind())
        .isEqualTo(one.equals(other));
  }

  @Provide
  Arbitrary<WatermarkValue> values() {
    Arbitrary<LocalDateTime> times =
        Combinators.combine(
                Arbitraries.longs().between(-210_000_000_000L, 9_000_000_000_000L),
                Arbitraries.integers().between(0, 999_999_999))
            .as((second, nano) -> LocalDateTime.ofEpochSecond(second, nano, ZoneOffset.UTC));
    return Arbitraries.oneOf(
        times.map(LocalDateTime::toLocalDate).map(WatermarkValueTest::day),
        times.map(WatermarkValue.LocalTime::new),
        times.map(time -> pointInTime(time.toInstant(ZoneOffset.UTC))),
        Arbitraries.longs().map(WatermarkValue.Whole::new),
        Arbitraries.longs().map(WatermarkValue.RowVersion::new));
  }

  private static WatermarkValue day(LocalDate date) {
    return new WatermarkValue.Day(date);
  }

  private static WatermarkValue pointInTime(Instant instant) {
    return new WatermarkValue.PointInTime(instant);
  }
}
