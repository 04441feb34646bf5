package io.lakexpress.connect.source.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakexpress.watermark.TableId;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicNamesTest {
  private static final TopicNames TOPICS = new TopicNames("lake.", "shop");

  @Test
  void otherCharactersBecomeUnderscores() {
    assertThat(TOPICS.of(new TableId("public", "Order Lines")))
        .isEqualTo("lake.public.Order_Lines");
    assertThat(TOPICS.runs()).isEqualTo("lake.shop.runs");
  }

  @Test
  void twoTablesOnOneTopicAreRefusedWithTheirNames() {
    TableId blank = new TableId("public", "a b");
    TableId underscore = new TableId("public", "a_b");

    assertThat(TOPICS.refusals(List.of(blank, underscore)))
        .containsExactly(
            "Invalid topic name lake.public.a_b: tables public.a b and public.a_b share it");
    assertThat(TOPICS.refusals(List.of(blank, new TableId("public", "ab")))).isEmpty();
  }

  @Test
  void tooLongNamesAndTheRunsTopicAreRefused() {
    assertThat(TOPICS.refusal(new TableId("s", "x".repeat(250)), List.of()).orElseThrow())
        .contains("it has 257 characters, expected at most 249");
    assertThat(TOPICS.refusal(new TableId("shop", "runs"), List.of()).orElseThrow())
        .contains("it is the topic of the runs");
  }

  /** Kafka refuses to create the second of two topics that differ only by '.' and '_'. */
  @Test
  void topicsThatKafkaDoesNotTellApartAreRefused() {
    TableId first = new TableId("sales", "eu_orders");
    TableId second = new TableId("sales_eu", "orders");

    assertThat(TOPICS.refusals(List.of(first, second)))
        .containsExactly(
            "Invalid topic name lake.sales.eu_orders: tables sales.eu_orders and sales_eu.orders"
                + " cannot have topics beside each other, since Kafka does not tell it from"
                + " lake.sales_eu.orders");
    assertThat(
            new TopicNames("", "sales_eu")
                .refusal(new TableId("sales", "eu_runs"), List.of())
                .orElseThrow())
        .contains("the topic of the runs, sales_eu.runs");
  }
}
