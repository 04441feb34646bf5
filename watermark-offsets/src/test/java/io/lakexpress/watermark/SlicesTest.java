package io.lakexpress.watermark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How slices are asked for, and how they are kept. */
class SlicesTest {
  @ParameterizedTest
  @CsvSource({
    "orders:Random::4,           orders:Random::4",
    "sales.orders:ntile:id:8,    sales.orders:Ntile:id:8",
    "sales.orders:None,          sales.orders:None::",
    "sales.orders::id:-2,        sales.orders:Random:id:-2",
    " orders : RangeId : id : 0, orders:RangeId:id:0",
    "orders::,                   orders:Random::",
  })
  void specsAreReadInLakeXpressForm(String written, String text) {
    SliceSpec spec = SliceSpec.parse(written);

    assertThat(spec).hasToString(text);
    assertThat(SliceSpec.parse(text)).isEqualTo(spec);
  }

  @Test
  void namesMayBeQuotedAndHoldSeparators() {
    List<String> items = SliceSpec.split("\"a;b\".\"c.d:e\":Ctid; ;plain:None");

    assertThat(items).containsExactly("\"a;b\".\"c.d:e\":Ctid", "plain:None");
    SliceSpec spec = SliceSpec.parse(items.get(0));
    assertThat(spec.means(new TableId("a;b", "c.d:e"))).isTrue();
    assertThat(spec.means(new TableId("a;b", "C.d:e"))).isFalse();
    assertThat(SliceSpec.parse(spec.toString())).isEqualTo(spec);
    assertThat(SliceSpec.parse(items.get(1)).means(new TableId("any", "Plain"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "orders", ":Random", "a.b.c:Random", "a:Random:k:1:2", "a.:None"})
  void otherFormsAreRefusedWithTheRightOne(String written) {
    assertThatThrownBy(() -> SliceSpec.parse(written))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected [schema.]table:method:key:degree");
  }

  @ParameterizedTest
  @CsvSource({
    "Physloc,       'expected Random, or Ctid for full exports of PostgreSQL'",
    "DataDriven,    'expected Ntile, which cuts at values of the column'",
    "timepartition, 'expected RangeId or Ntile on a date or time of the key'",
    "Modulo,        'expected None, Random, RangeId, Ntile or Ctid'",
  })
  void methodsThatAreNotOfferedNameTheAlternative(String method, String reason) {
    assertThatThrownBy(() -> SliceSpec.parse("sales.orders:" + method + "::4"))
        .hasMessageStartingWith("Invalid slice spec 'sales.orders:" + method)
        .hasMessageContaining("Invalid method '" + method + "'")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource({"1,8,1", "4,2,4", "0,8,8", "-2,8,4", "-3,8,2", "-9,8,1", "256,1,256", "0,1000,256"})
  void degreesAreResolvedAsInLakeXpress(int degree, int processors, int slices) {
    assertThat(SliceDegree.resolve(degree, processors)).isEqualTo(slices);
  }

  @ParameterizedTest
  @ValueSource(strings = {"257", "-257", "four", "1.5", "99999999999"})
  void degreesBeyondReasonAreRefused(String degree) {
    assertThatThrownBy(() -> SliceDegree.parse(degree))
        .hasMessage("Invalid degree '" + degree + "': expected a whole number from -256 to 256");
  }

  @Property(tries = 200)
  void rulesParseBackWhateverTheNamesAndValuesHold(@ForAll String one, @ForAll String other) {
    for (SliceRule rule :
        List.of(
            new SliceRule.Hash(List.of(one, other)),
            new SliceRule.Range(one, other, null),
            new SliceRule.Range(one, null, other),
            new SliceRule.Blocks(one.length(), -1),
            new SliceRule.Blocks(0, other.length()))) {
      assertThat(SliceRule.parse(rule.text())).isEqualTo(rule);
    }
  }

  @Test
  void otherRulesAreRefused() {
    for (String text : Arrays.asList("", "hash", "range,\"a\"", "modulo,\"4\"")) {
      assertThatThrownBy(() -> SliceRule.parse(text))
          .hasMessage("Invalid slice rule '" + text + "': expected hash, range or blocks");
    }
  }
}
