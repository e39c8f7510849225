-- The time ledger, from the tables of steps, spans, parts in collectives and calls, which {tables} holds as Parquet.
-- `pieces` has the row of each stretch in which something runs; `gaps` those in which nothing does, each with the call
-- that launched what ends it, or with none: it is the last. What the host did in a gap is told by idle_rows() in test_parquet.py.
CREATE TEMP TABLE pieces AS
WITH
steps AS (SELECT rank, step, device_start_ns AS first, device_end_ns AS last FROM '{tables}/steps/*/*.parquet'
          WHERE analysed = 1 AND device_start_ns IS NOT NULL),
spans AS (SELECT rank, start_ns AS first, start_ns + duration_ns AS last, class, member_id, call_id, span_id
          FROM '{tables}/spans/*/*.parquet' WHERE class <> 'sync'),
waits AS (SELECT rank, member_id, bool_or(wait_ns IS NULL) AS unsplit, max(wait_ns) AS wait
          FROM '{tables}/collective_members/*/*.parquet' GROUP BY ALL),
parts AS (
  SELECT rank, first, last, class FROM spans WHERE class <> 'comm'
  UNION ALL
  SELECT spans.rank, unnest([first, first + coalesce(wait, 0)]), unnest([first + coalesce(wait, 0), last]),
         unnest(['wait', CASE WHEN coalesce(unsplit, true) THEN 'unsplit' ELSE 'transfer' END])
  FROM spans LEFT JOIN waits USING (rank, member_id) WHERE class = 'comm'),
clipped AS (
  SELECT steps.rank, step, greatest(parts.first, steps.first) AS first, least(parts.last, steps.last) AS last, class
  FROM steps JOIN parts ON parts.rank = steps.rank AND parts.first < steps.last AND parts.last > steps.first
  WHERE parts.last > parts.first
  UNION ALL
  SELECT rank, step, first, last, 'step' FROM steps),
edges AS (SELECT rank, step, first AS time, class, 1 AS more FROM clipped
          UNION ALL SELECT rank, step, last, class, -1 FROM clipped),
counts AS (
  SELECT rank, step, time,
         sum(more) FILTER (class = 'compute') AS compute, sum(more) FILTER (class = 'fused') AS fused,
         sum(more) FILTER (class = 'transfer') AS transfer, sum(more) FILTER (class = 'unsplit') AS unsplit,
         sum(more) FILTER (class = 'wait') AS wait, sum(more) FILTER (class = 'copy') AS copy,
         sum(more) FILTER (class = 'unclassified') AS unclassified
  FROM edges GROUP BY ALL)
SELECT rank, step, time AS first, lead(time) OVER steps AS last,
    CASE WHEN sum(compute) OVER steps > 0 THEN 'compute'
         WHEN sum(fused) OVER steps > 0 THEN 'fused_comm_compute'
         WHEN sum(transfer) OVER steps > 0 THEN 'exposed_comm_transfer'
         WHEN sum(unsplit) OVER steps > 0 THEN 'exposed_comm_unsplit'
         WHEN sum(wait) OVER steps > 0 THEN 'exposed_comm_wait'
         WHEN sum(copy) OVER steps > 0 THEN 'exposed_copy'
         WHEN sum(unclassified) OVER steps > 0 THEN 'unclassified'
         ELSE 'idle' END AS row
FROM counts WINDOW steps AS (PARTITION BY rank, step ORDER BY time);

-- Of several pieces of work that start together, the one launched first ends the gap.
CREATE TEMP TABLE gaps AS
WITH
starts AS (SELECT spans.rank, spans.start_ns AS time, min_by(call_id, calls.start_ns) AS call_id
           FROM '{tables}/spans/*/*.parquet' spans LEFT JOIN '{tables}/calls/*/*.parquet' calls USING (rank, call_id)
           WHERE spans.class <> 'sync' GROUP BY ALL)
SELECT pieces.rank, first, last, call_id, starts.time IS NULL AS is_last
FROM pieces ASOF LEFT JOIN starts ON pieces.rank = starts.rank AND pieces.last <= starts.time
WHERE row = 'idle' AND last > first;
