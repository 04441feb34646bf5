package io.lakexpress.connect.source.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.offset.TableOffset;
import io.lakexpress.watermark.Slice;
import io.lakexpress.watermark.TableId;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which of two offsets counts: what Connect keeps, or what was handed over since. */
class TableOffsetsTest {
  private static final TableId ORDERS = TableId.parse("shop.orders");
  private static final Slice SECOND = new Slice(2, 3);

  private final Map<Map<String, ?>, Map<String, Object>> stored = new HashMap<>();
  private final TableOffsets offsets = new TableOffsets(stored::get, "shop");

  private static TableOffset open(String run, String job, long rows) {
    return TableOffset.open(null, run, job, rows, "2026-12-01T00:00:00Z", null);
  }

  @Test
  void theRemovalOfAnEarlierSliceThatIsWrittenLateDoesNotHideWhatWasHandedOverSince() {
    stored.put(offsets.partition(ORDERS, SECOND), open("r-1", "j-1", 9).toMap());
    offsets.of(ORDERS, SECOND);
    offsets.handedOver(ORDERS, SECOND, open("r-2", "j-2", 4));

    stored.remove(offsets.partition(ORDERS, SECOND));

    assertThat(offsets.of(ORDERS, SECOND))
        .isEqualTo(new TableOffsets.Known(open("r-2", "j-2", 4), TableOffsets.Origin.OWN));
  }

  @Test
  void aTableThatWasStartedAnewByHandCountsAsSuch() {
    stored.put(offsets.partition(ORDERS), open("r-1", "j-1", 9).toMap());
    offsets.of(ORDERS);
    offsets.handedOver(ORDERS, open("r-2", "j-2", 4));

    stored.remove(offsets.partition(ORDERS));

    assertThat(offsets.of(ORDERS))
        .isEqualTo(new TableOffsets.Known(null, TableOffsets.Origin.STORED));
  }
}
