package io.lakexpress.stack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Values on their whole way: PostgreSQL, converter, topic, Parquet, DuckDB. */
@ExtendWith(StackExtension.class)
final class TypesIT {
  private final TestingStack stack;

  TypesIT(TestingStack stack) {
    this.stack = stack;
  }

  @Test
  void everyKindOfValueArrivesAsItWas() {
    try (TestingSync sync = stack.sync("types")) {
      sync.sql(
              """
              CREATE TABLE t (
                id int PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(),
                b bool, s smallint, l bigint, r real, d double precision,
                n numeric(18,6), free numeric, wide numeric(38,10), m money,
                day date, clock time, local timestamp, instant timestamptz,
                u uuid, j jsonb, raw bytea, a int[], words text[],
                txt text, iv interval, ip inet, span int4range);
              INSERT INTO t VALUES (1, now(),
                true, -32768, 9223372036854775807, 1.5, 0.1,
                123456789012.123456, 0.0000000001, 1234567890123456789012345678.0123456789, 1234.56,
                '1969-12-31', '23:59:59.123456', '1960-01-01 00:00:00.000001', '9999-12-31 23:59:59.999999Z',
                '0f8fad5b-d9cb-469f-a165-70867728950e', '{"k": [1, null]}', '\\x00ff10', '{1,NULL,3}', '{}',
                'é😀 "quoted"', '1 mon 2 days', '10.0.0.1', '[1,5)');
              INSERT INTO t(id) VALUES (2);
              INSERT INTO t(id, day, local, instant) VALUES (3, 'infinity', '-infinity', 'infinity');
              """)
          .source("incremental.tables", "public.t:at:timestamp")
          .start();
      sync.run();

      assertRow(
          sync,
          "b, s, l, r, d, n, free, wide, m",
          "true|-32768|9223372036854775807|1.5|0.1|123456789012.123456|0.0000000001"
              + "|1234567890123456789012345678.0123456789|1234.56");
      assertRow(
          sync,
          "day, clock, local, timezone('UTC', instant)",
          "1969-12-31|23:59:59.123456|1960-01-01 00:00:00.000001|9999-12-31 23:59:59.999999");
      assertRow(
          sync,
          "u, j, hex(raw), a, words, txt, iv, ip, span",
          "0f8fad5b-d9cb-469f-a165-70867728950e|{\"k\": [1, null]}|00FF10|[1, NULL, 3]|[]"
              + "|é😀 \"quoted\"|1 mon 2 days|10.0.0.1|[1,5)");
      assertThat(
              sync.lake(
                  "t",
                  "SELECT count(*) FROM lake WHERE id = 2 AND coalesce(b::text, n::text, day::text, u::text,"
                      + " j::text, raw::text, a::text, txt, iv, ip) IS NULL"))
          .isEqualTo("1");
      assertThat(
              sync.lake(
                  "t",
                  "SELECT day::text || '|' || local::text || '|' || instant::text FROM lake WHERE id = 3"))
          .isEqualTo("infinity|-infinity|infinity");
    }
  }

  private static void assertRow(TestingSync sync, String columns, String expected) {
    String joined = "concat_ws('|', " + columns.replace(", ", "::text, ") + "::text)";
    String query =
        "SELECT " + joined.replace("'UTC'::text, ", "'UTC', ") + " FROM lake WHERE id = 1";
    assertThat(sync.lake("t", query)).isEqualTo(expected);
  }
}
