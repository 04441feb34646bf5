-- Parameters: date, count. Parts, customers and amounts follow from the new keys alone: no chance in it.
WITH
  newest AS (SELECT coalesce(max(o_orderkey), 0) AS key FROM orders),
  offers AS (SELECT ps_partkey, ps_suppkey, row_number() OVER (ORDER BY ps_partkey, ps_suppkey) - 1 AS place FROM partsupp),
  buyers AS (SELECT c_custkey, row_number() OVER (ORDER BY c_custkey) - 1 AS place FROM customer),
  days AS (SELECT CAST(? AS date) AS day),
  items AS (
    SELECT
      newest.key + n AS orderkey,
      line,
      ps_partkey,
      ps_suppkey,
      1 + (newest.key + n * 7 + line * 13) % 50 AS quantity,
      p_retailprice,
      CAST((n + line) % 11 AS numeric) / 100 AS discount,
      CAST((n + 2 * line) % 9 AS numeric) / 100 AS tax
    FROM newest
    CROSS JOIN generate_series(1, CAST(? AS bigint)) AS n
    CROSS JOIN LATERAL generate_series(1, CAST(1 + (newest.key + n * 5) % 7 AS integer)) AS line
    JOIN offers ON offers.place = (newest.key + n * 31 + line * 17) % (SELECT count(*) FROM offers)
    JOIN part ON p_partkey = ps_partkey
  ),
  new_orders AS (
    INSERT INTO orders
    SELECT
      orderkey,
      (SELECT c_custkey FROM buyers WHERE place = orderkey % (SELECT count(*) FROM buyers)),
      'O',
      sum(round(quantity * p_retailprice * (1 - discount) * (1 + tax), 2)),
      (SELECT day FROM days),
      '3-MEDIUM',
      'Clerk#000000001',
      0,
      'ordered after the first sync'
    FROM items
    GROUP BY orderkey
    RETURNING o_orderkey
  ),
  new_items AS (
    INSERT INTO lineitem
    SELECT
      orderkey, ps_partkey, ps_suppkey, line,
      quantity, quantity * p_retailprice, discount, tax,
      'N', 'O',
      (SELECT day FROM days), (SELECT day FROM days) + 30, (SELECT day FROM days) + 7,
      'NONE', 'TRUCK', 'shipped after the first sync'
    FROM items
    RETURNING l_orderkey
  )
SELECT (SELECT count(*) FROM new_orders), (SELECT count(*) FROM new_items)
