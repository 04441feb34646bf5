-- The LakeXpress DB. Keep the scripts of all flavours in lock-step: same tables, same columns.
-- Times are UTC; values of watermarks and bounds are canonical text. Names are compared exactly,
-- whatever the collation of the database.

CREATE TABLE sync_configurations (
  sync_id nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL PRIMARY KEY,
  env_name nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  config nvarchar(max) NOT NULL,
  plan_generation bigint NOT NULL,
  units nvarchar(max) NOT NULL,
  source_connector nvarchar(255) COLLATE Latin1_General_100_BIN2,
  source_instance nvarchar(255) COLLATE Latin1_General_100_BIN2,
  source_lease_until datetime2(6),
  lake_connector nvarchar(255) COLLATE Latin1_General_100_BIN2,
  lake_instance nvarchar(255) COLLATE Latin1_General_100_BIN2,
  lake_lease_until datetime2(6),
  lake_registered_at datetime2(6),
  requested_cause nvarchar(64) COLLATE Latin1_General_100_BIN2,
  requested_at datetime2(6),
  created_at datetime2(6) NOT NULL,
  updated_at datetime2(6) NOT NULL
);

CREATE TABLE incremental_watermarks (
  sync_id nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_schema nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_table nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  column_name nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  column_type nvarchar(32) COLLATE Latin1_General_100_BIN2 NOT NULL,
  last_exported_value nvarchar(max),
  last_landed_value nvarchar(max),
  last_run_id nvarchar(36) COLLATE Latin1_General_100_BIN2,
  updated_at datetime2(6) NOT NULL,
  PRIMARY KEY (sync_id, source_schema, source_table)
);

CREATE TABLE watermark_history (
  history_id bigint IDENTITY(1,1) PRIMARY KEY,
  sync_id nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_schema nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_table nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  previous_value nvarchar(max),
  new_value nvarchar(max),
  run_id nvarchar(36) COLLATE Latin1_General_100_BIN2,
  job_id nvarchar(64) COLLATE Latin1_General_100_BIN2,
  rows bigint NOT NULL,
  moved_at datetime2(6) NOT NULL,
  cause nvarchar(16) COLLATE Latin1_General_100_BIN2 NOT NULL
);
CREATE INDEX watermark_history_by_table
  ON watermark_history (sync_id, source_schema, source_table, history_id);
CREATE INDEX watermark_history_by_job ON watermark_history (job_id);

CREATE TABLE export_runs (
  run_id nvarchar(36) COLLATE Latin1_General_100_BIN2 NOT NULL PRIMARY KEY,
  sync_id nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL REFERENCES sync_configurations (sync_id),
  run_number bigint NOT NULL,
  trigger_cause nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
  started_at datetime2(6) NOT NULL,
  opened_at datetime2(6) NOT NULL,
  upper_bound datetime2(6),
  guard_note nvarchar(max) NOT NULL,
  status nvarchar(16) COLLATE Latin1_General_100_BIN2 NOT NULL,
  closed_at datetime2(6),
  error nvarchar(max),
  UNIQUE (sync_id, run_number)
);
CREATE UNIQUE INDEX export_runs_one_open ON export_runs (sync_id) WHERE closed_at IS NULL;

CREATE TABLE export_jobs (
  job_id nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL PRIMARY KEY,
  run_id nvarchar(36) COLLATE Latin1_General_100_BIN2 NOT NULL REFERENCES export_runs (run_id),
  sync_id nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_schema nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_table nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  slice nvarchar(16) COLLATE Latin1_General_100_BIN2 NOT NULL,
  mode nvarchar(16) COLLATE Latin1_General_100_BIN2 NOT NULL,
  incremental nvarchar(max) NOT NULL,
  lower_bound nvarchar(max),
  upper_bound nvarchar(max),
  slice_rule nvarchar(max),
  snapshot nvarchar(max),
  estimated_rows bigint NOT NULL,
  attempt int NOT NULL,
  owner nvarchar(255) COLLATE Latin1_General_100_BIN2,
  lease_until datetime2(6),
  status nvarchar(16) COLLATE Latin1_General_100_BIN2 NOT NULL,
  rows bigint NOT NULL,
  refused_rows bigint NOT NULL,
  error nvarchar(max),
  replaced_by nvarchar(64) COLLATE Latin1_General_100_BIN2,
  created_at datetime2(6) NOT NULL,
  claimed_at datetime2(6),
  delivered_at datetime2(6),
  landed_at datetime2(6),
  abandoned_at datetime2(6),
  announced_at datetime2(6),
  UNIQUE (run_id, source_schema, source_table, slice, attempt)
);
CREATE INDEX export_jobs_by_table ON export_jobs (sync_id, source_schema, source_table);
CREATE INDEX export_jobs_by_status ON export_jobs (sync_id, status);

CREATE TABLE export_files (
  file_id bigint IDENTITY(1,1) PRIMARY KEY,
  sync_id nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
  path nvarchar(780) COLLATE Latin1_General_100_BIN2 NOT NULL,
  job_id nvarchar(64) COLLATE Latin1_General_100_BIN2,
  source_schema nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_table nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  state nvarchar(16) COLLATE Latin1_General_100_BIN2 NOT NULL,
  handle nvarchar(max) NOT NULL,
  writer_epoch bigint NOT NULL,
  rows bigint NOT NULL,
  bytes bigint NOT NULL,
  topic nvarchar(249) COLLATE Latin1_General_100_BIN2 NOT NULL,
  topic_partition int NOT NULL,
  first_offset bigint NOT NULL,
  last_offset bigint NOT NULL,
  created_at datetime2(6) NOT NULL,
  updated_at datetime2(6) NOT NULL
);
CREATE INDEX export_files_by_job ON export_files (job_id);
CREATE INDEX export_files_by_state ON export_files (sync_id, state, source_schema, source_table);
CREATE UNIQUE INDEX export_files_published_once
  ON export_files (sync_id, path) WHERE state = 'published';

CREATE TABLE lake_positions (
  sync_id nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
  topic nvarchar(249) COLLATE Latin1_General_100_BIN2 NOT NULL,
  topic_partition int NOT NULL,
  next_offset bigint NOT NULL,
  writer_epoch bigint NOT NULL,
  incarnation int NOT NULL,
  updated_at datetime2(6) NOT NULL,
  caught_up_at datetime2(6),
  PRIMARY KEY (sync_id, topic, topic_partition)
);

CREATE TABLE export_columns (
  job_id nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
  ordinal int NOT NULL,
  column_name nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_type nvarchar(max) NOT NULL,
  connect_type nvarchar(max) NOT NULL,
  parquet_type nvarchar(max) NOT NULL,
  PRIMARY KEY (job_id, ordinal)
);

CREATE TABLE export_log (
  log_id bigint IDENTITY(1,1) PRIMARY KEY,
  logged_at datetime2(6) NOT NULL,
  level nvarchar(16) COLLATE Latin1_General_100_BIN2 NOT NULL,
  sync_id nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
  run_id nvarchar(36) COLLATE Latin1_General_100_BIN2 NOT NULL,
  job_id nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
  message nvarchar(max) NOT NULL
);
CREATE INDEX export_log_by_sync ON export_log (sync_id, log_id);

CREATE TABLE guard_samples (
  sync_id nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
  sampled_at datetime2(6) NOT NULL,
  place nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  transactions nvarchar(max) NOT NULL,
  PRIMARY KEY (sync_id, sampled_at)
);

CREATE TABLE table_locks (
  sync_id nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_schema nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_table nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  owner nvarchar(255) COLLATE Latin1_General_100_BIN2 NOT NULL,
  run_id nvarchar(36) COLLATE Latin1_General_100_BIN2 NOT NULL,
  locked_at datetime2(6) NOT NULL,
  PRIMARY KEY (sync_id, source_schema, source_table)
);

CREATE TABLE partition_columns (
  env_name nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_db_type nvarchar(32) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_database nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_schema nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_table nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  fastbcp_method nvarchar(32) COLLATE Latin1_General_100_BIN2 NOT NULL,
  fastbcp_parallel_degree int,
  fastbcp_distribution_key nvarchar(max),
  PRIMARY KEY NONCLUSTERED (env_name, source_db_type, source_database, source_schema, source_table)
);

CREATE TABLE publish_loads (
  sync_id nvarchar(64) COLLATE Latin1_General_100_BIN2 NOT NULL,
  target nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  file_id bigint NOT NULL,
  source_schema nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  source_table nvarchar(128) COLLATE Latin1_General_100_BIN2 NOT NULL,
  job_id nvarchar(64) COLLATE Latin1_General_100_BIN2,
  rows bigint NOT NULL,
  loaded_at datetime2(6) NOT NULL,
  PRIMARY KEY (sync_id, target, file_id)
);
