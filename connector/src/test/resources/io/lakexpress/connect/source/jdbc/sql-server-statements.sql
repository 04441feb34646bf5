SELECT SYSDATETIMEOFFSET();

SELECT CURRENT_TIMEZONE_ID();

SELECT RIGHT(CONVERT(varchar(34), SYSDATETIMEOFFSET(), 121), 6);

SELECT CAST(MIN_ACTIVE_ROWVERSION() AS bigint);

SELECT snapshot_isolation_state, CAST(is_read_committed_snapshot_on AS int) FROM sys.databases WHERE database_id = DB_ID();

SELECT o.object_id, s.name, o.name, o.type, COALESCE(CAST(t.is_external AS int), 0),
       COALESCE(CAST(t.is_memory_optimized AS int), 0),
       COALESCE((SELECT SUM(p.rows) FROM sys.partitions AS p
                  WHERE p.object_id = o.object_id AND p.index_id IN (0, 1)), 0)
  FROM sys.objects AS o
  JOIN sys.schemas AS s ON s.schema_id = o.schema_id
  LEFT JOIN sys.tables AS t ON t.object_id = o.object_id
 WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
 AND NOT (EXISTS (SELECT 1 FROM sys.tables AS mark
                   WHERE mark.schema_id = o.schema_id AND mark.name = 'lakexpress_schema_history')
          AND o.name IN ('lakexpress_schema_history', 'sync_configurations', 'incremental_watermarks', 'watermark_history', 'export_runs', 'export_jobs', 'export_files', 'lake_positions', 'export_columns', 'export_log', 'guard_samples', 'table_locks', 'partition_columns', 'publish_loads'))
 ORDER BY s.name COLLATE Latin1_General_100_BIN2, o.name COLLATE Latin1_General_100_BIN2;

SELECT o.object_id, s.name, o.name, o.type, COALESCE(CAST(t.is_external AS int), 0),
       COALESCE(CAST(t.is_memory_optimized AS int), 0),
       COALESCE((SELECT SUM(p.rows) FROM sys.partitions AS p
                  WHERE p.object_id = o.object_id AND p.index_id IN (0, 1)), 0)
  FROM sys.objects AS o
  JOIN sys.schemas AS s ON s.schema_id = o.schema_id
  LEFT JOIN sys.tables AS t ON t.object_id = o.object_id
 WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
 AND s.name COLLATE Latin1_General_100_BIN2 = ? AND o.name COLLATE Latin1_General_100_BIN2 = ?;

SELECT c.object_id, c.name, c.column_id,
       CASE WHEN ut.is_assembly_type = 0 THEN st.name
            WHEN ut.is_user_defined = 0 THEN ut.name
            ELSE N'clr' END,
       c.max_length, c.precision, c.scale, c.collation_name,
       CASE WHEN c.is_nullable = 0 AND t.is_external = 0 THEN 1 ELSE 0 END
  FROM sys.columns AS c
  JOIN sys.types AS ut ON ut.user_type_id = c.user_type_id
  LEFT JOIN sys.types AS st ON st.user_type_id = c.system_type_id
  LEFT JOIN sys.tables AS t ON t.object_id = c.object_id
 WHERE c.object_id IN (101, 102)
   AND NOT (c.is_hidden = 1 AND c.generated_always_type = 0)
 ORDER BY c.object_id, c.column_id;

SELECT i.object_id, i.index_id, CAST(i.is_primary_key AS int), c.name
  FROM sys.indexes AS i
  JOIN sys.index_columns AS k
    ON k.object_id = i.object_id AND k.index_id = i.index_id AND k.key_ordinal > 0
  JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
 WHERE i.object_id IN (101, 102) AND i.is_unique = 1 AND i.has_filter = 0
   AND i.is_disabled = 0 AND i.is_hypothetical = 0
 ORDER BY i.object_id, i.is_primary_key DESC,
       COUNT(*) OVER (PARTITION BY i.object_id, i.index_id), i.index_id, k.key_ordinal;

SELECT TOP (1) 1
  FROM sys.objects AS o
  JOIN sys.schemas AS s ON s.schema_id = o.schema_id
  JOIN sys.indexes AS i ON i.object_id = o.object_id
  JOIN sys.index_columns AS k
    ON k.object_id = i.object_id AND k.index_id = i.index_id AND k.key_ordinal = 1
  JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
 WHERE i.type IN (1, 2) AND i.has_filter = 0 AND i.is_disabled = 0 AND i.is_hypothetical = 0
   AND c.name COLLATE Latin1_General_100_BIN2 = ?
 AND s.name COLLATE Latin1_General_100_BIN2 = ? AND o.name COLLATE Latin1_General_100_BIN2 = ?;

SELECT CAST(DATABASEPROPERTYEX(DB_NAME(), 'Updateability') AS nvarchar(60)),
       CONCAT(DB_ID(), '@', CONVERT(varchar(33), i.sqlserver_start_time, 126))
  FROM sys.dm_os_sys_info AS i;

SELECT CAST(a.transaction_id AS varchar(20)), DATEADD(millisecond, -100, a.transaction_begin_time AT TIME ZONE ?),
       CASE WHEN d.database_transaction_begin_time IS NOT NULL OR w.session_id IS NULL
              OR (w.is_user = 0 AND a.name <> 'SELECT') THEN 1 ELSE 0 END,
       w.session_id, w.login_name, w.program_name, w.status
  FROM sys.dm_tran_active_transactions AS a
  LEFT JOIN sys.dm_tran_database_transactions AS d
    ON d.transaction_id = a.transaction_id AND d.database_id = DB_ID()
 OUTER APPLY (
         SELECT TOP (1) s.session_id, s.login_name, s.program_name, s.status, s.database_id,
                u.is_user
           FROM (SELECT t.session_id, CAST(t.is_user_transaction AS int) AS is_user
                   FROM sys.dm_tran_session_transactions AS t
                  WHERE t.transaction_id = a.transaction_id
                  UNION ALL
                 SELECT q.session_id, 0
                   FROM sys.dm_exec_requests AS q
                  WHERE q.transaction_id = a.transaction_id) AS u
           JOIN sys.dm_exec_sessions AS s ON s.session_id = u.session_id
          WHERE s.is_user_process = 1
          ORDER BY u.is_user DESC, s.session_id) AS w
 WHERE a.transaction_type <> 3
   AND (w.database_id = DB_ID() OR d.transaction_id IS NOT NULL)
   AND (w.session_id <> @@SPID
        OR (w.session_id IS NULL AND d.database_transaction_begin_time IS NOT NULL));

SELECT CAST(a.transaction_id AS varchar(20)), CAST(NULL AS datetimeoffset),
       CASE WHEN d.database_transaction_begin_time IS NOT NULL OR w.session_id IS NULL
              OR (w.is_user = 0 AND a.name <> 'SELECT') THEN 1 ELSE 0 END,
       w.session_id, w.login_name, w.program_name, w.status
  FROM sys.dm_tran_active_transactions AS a
  LEFT JOIN sys.dm_tran_database_transactions AS d
    ON d.transaction_id = a.transaction_id AND d.database_id = DB_ID()
 OUTER APPLY (
         SELECT TOP (1) s.session_id, s.login_name, s.program_name, s.status, s.database_id,
                u.is_user
           FROM (SELECT t.session_id, CAST(t.is_user_transaction AS int) AS is_user
                   FROM sys.dm_tran_session_transactions AS t
                  WHERE t.transaction_id = a.transaction_id
                  UNION ALL
                 SELECT q.session_id, 0
                   FROM sys.dm_exec_requests AS q
                  WHERE q.transaction_id = a.transaction_id) AS u
           JOIN sys.dm_exec_sessions AS s ON s.session_id = u.session_id
          WHERE s.is_user_process = 1
          ORDER BY u.is_user DESC, s.session_id) AS w
 WHERE a.transaction_type <> 3
   AND (w.database_id = DB_ID() OR d.transaction_id IS NOT NULL)
   AND (w.session_id <> @@SPID
        OR (w.session_id IS NULL AND d.database_transaction_begin_time IS NOT NULL));
