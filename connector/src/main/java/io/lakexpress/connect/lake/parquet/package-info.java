/**
 * Connect schemas and rows to Parquet files, without Avro and without a Hadoop class at run time.
 */
package io.lakexpress.connect.lake.parquet;
