SET LOCAL search_path = tpch_1_incremental;

ALTER TABLE region ADD PRIMARY KEY (r_regionkey);
ALTER TABLE nation ADD PRIMARY KEY (n_nationkey);
ALTER TABLE part ADD PRIMARY KEY (p_partkey);
ALTER TABLE supplier ADD PRIMARY KEY (s_suppkey);
ALTER TABLE partsupp ADD PRIMARY KEY (ps_partkey, ps_suppkey);
ALTER TABLE customer ADD PRIMARY KEY (c_custkey);
ALTER TABLE orders ADD PRIMARY KEY (o_orderkey);
ALTER TABLE lineitem ADD PRIMARY KEY (l_orderkey, l_linenumber);

-- Watermark, then key: a window streams in the order of the index.
CREATE INDEX ON orders (o_orderdate, o_orderkey);
CREATE INDEX ON lineitem (l_shipdate, l_orderkey, l_linenumber);

ANALYZE region, nation, part, supplier, partsupp, customer, orders, lineitem;
