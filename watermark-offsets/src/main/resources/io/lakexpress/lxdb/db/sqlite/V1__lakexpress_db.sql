-- The LakeXpress DB. Keep the scripts of all flavours in lock-step: same tables, same columns.
-- Times are UTC, ISO text of one width so that they sort; values of watermarks and bounds are canonical text.

CREATE TABLE sync_configurations (
  sync_id text NOT NULL PRIMARY KEY,
  env_name text NOT NULL,
  config text NOT NULL,
  plan_generation integer NOT NULL,
  units text NOT NULL,
  source_connector text,
  source_instance text,
  source_lease_until text,
  lake_connector text,
  lake_instance text,
  lake_lease_until text,
  lake_registered_at text,
  requested_cause text,
  requested_at text,
  created_at text NOT NULL,
  updated_at text NOT NULL
);

CREATE TABLE incremental_watermarks (
  sync_id text NOT NULL,
  source_schema text NOT NULL,
  source_table text NOT NULL,
  column_name text NOT NULL,
  column_type text NOT NULL,
  last_exported_value text,
  last_landed_value text,
  last_run_id text,
  updated_at text NOT NULL,
  PRIMARY KEY (sync_id, source_schema, source_table)
);

CREATE TABLE watermark_history (
  history_id integer PRIMARY KEY AUTOINCREMENT,
  sync_id text NOT NULL,
  source_schema text NOT NULL,
  source_table text NOT NULL,
  previous_value text,
  new_value text,
  run_id text,
  job_id text,
  rows integer NOT NULL,
  moved_at text NOT NULL,
  cause text NOT NULL
);
CREATE INDEX watermark_history_by_table
  ON watermark_history (sync_id, source_schema, source_table, history_id);
CREATE INDEX watermark_history_by_job ON watermark_history (job_id);

CREATE TABLE export_runs (
  run_id text NOT NULL PRIMARY KEY,
  sync_id text NOT NULL REFERENCES sync_configurations (sync_id),
  run_number integer NOT NULL,
  trigger_cause text NOT NULL,
  started_at text NOT NULL,
  opened_at text NOT NULL,
  upper_bound text,
  guard_note text NOT NULL,
  status text NOT NULL,
  closed_at text,
  error text,
  UNIQUE (sync_id, run_number)
);
CREATE UNIQUE INDEX export_runs_one_open ON export_runs (sync_id) WHERE closed_at IS NULL;

CREATE TABLE export_jobs (
  job_id text NOT NULL PRIMARY KEY,
  run_id text NOT NULL REFERENCES export_runs (run_id),
  sync_id text NOT NULL,
  source_schema text NOT NULL,
  source_table text NOT NULL,
  slice text NOT NULL,
  mode text NOT NULL,
  incremental text NOT NULL,
  lower_bound text,
  upper_bound text,
  slice_rule text,
  snapshot text,
  estimated_rows integer NOT NULL,
  attempt integer NOT NULL,
  owner text,
  lease_until text,
  status text NOT NULL,
  rows integer NOT NULL,
  refused_rows integer NOT NULL,
  error text,
  replaced_by text,
  created_at text NOT NULL,
  claimed_at text,
  delivered_at text,
  landed_at text,
  abandoned_at text,
  announced_at text,
  UNIQUE (run_id, source_schema, source_table, slice, attempt)
);
CREATE INDEX export_jobs_by_table ON export_jobs (sync_id, source_schema, source_table);
CREATE INDEX export_jobs_by_status ON export_jobs (sync_id, status);

CREATE TABLE export_files (
  file_id integer PRIMARY KEY AUTOINCREMENT,
  sync_id text NOT NULL,
  path text NOT NULL,
  job_id text,
  source_schema text NOT NULL,
  source_table text NOT NULL,
  state text NOT NULL,
  handle text NOT NULL,
  writer_epoch integer NOT NULL,
  rows integer NOT NULL,
  bytes integer NOT NULL,
  topic text NOT NULL,
  topic_partition integer NOT NULL,
  first_offset integer NOT NULL,
  last_offset integer NOT NULL,
  created_at text NOT NULL,
  updated_at text NOT NULL
);
CREATE INDEX export_files_by_job ON export_files (job_id);
CREATE INDEX export_files_by_state ON export_files (sync_id, state, source_schema, source_table);
CREATE UNIQUE INDEX export_files_published_once
  ON export_files (sync_id, path) WHERE state = 'published';

CREATE TABLE lake_positions (
  sync_id text NOT NULL,
  topic text NOT NULL,
  topic_partition integer NOT NULL,
  next_offset integer NOT NULL,
  writer_epoch integer NOT NULL,
  incarnation integer NOT NULL,
  updated_at text NOT NULL,
  caught_up_at text,
  PRIMARY KEY (sync_id, topic, topic_partition)
);

CREATE TABLE export_columns (
  job_id text NOT NULL,
  ordinal integer NOT NULL,
  column_name text NOT NULL,
  source_type text NOT NULL,
  connect_type text NOT NULL,
  parquet_type text NOT NULL,
  PRIMARY KEY (job_id, ordinal)
);

CREATE TABLE export_log (
  log_id integer PRIMARY KEY AUTOINCREMENT,
  logged_at text NOT NULL,
  level text NOT NULL,
  sync_id text NOT NULL,
  run_id text NOT NULL,
  job_id text NOT NULL,
  message text NOT NULL
);
CREATE INDEX export_log_by_sync ON export_log (sync_id, log_id);

CREATE TABLE guard_samples (
  sync_id text NOT NULL,
  sampled_at text NOT NULL,
  place text NOT NULL,
  transactions text NOT NULL,
  PRIMARY KEY (sync_id, sampled_at)
);

CREATE TABLE table_locks (
  sync_id text NOT NULL,
  source_schema text NOT NULL,
  source_table text NOT NULL,
  owner text NOT NULL,
  run_id text NOT NULL,
  locked_at text NOT NULL,
  PRIMARY KEY (sync_id, source_schema, source_table)
);

CREATE TABLE partition_columns (
  env_name text NOT NULL,
  source_db_type text NOT NULL,
  source_database text NOT NULL,
  source_schema text NOT NULL,
  source_table text NOT NULL,
  fastbcp_method text NOT NULL,
  fastbcp_parallel_degree integer,
  fastbcp_distribution_key text,
  PRIMARY KEY (env_name, source_db_type, source_database, source_schema, source_table)
);

CREATE TABLE publish_loads (
  sync_id text NOT NULL,
  target text NOT NULL,
  file_id integer NOT NULL,
  source_schema text NOT NULL,
  source_table text NOT NULL,
  job_id text,
  rows integer NOT NULL,
  loaded_at text NOT NULL,
  PRIMARY KEY (sync_id, target, file_id)
);
