-- The time ledger, from the tables of steps, spans, parts in collectives and calls, which {tables} holds as Parquet.
-- Idle time is told apart only as far as these tables tell: until the launching call returns, and from then on.
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
  FROM edges GROUP BY ALL),
pieces AS (
  SELECT rank, step, time AS first, lead(time) OVER steps AS last,
         CASE WHEN sum(compute) OVER steps > 0 THEN 'compute'
              WHEN sum(fused) OVER steps > 0 THEN 'fused_comm_compute'
              WHEN sum(transfer) OVER steps > 0 THEN 'exposed_comm_transfer'
              WHEN sum(unsplit) OVER steps > 0 THEN 'exposed_comm_unsplit'
              WHEN sum(wait) OVER steps > 0 THEN 'exposed_comm_wait'
              WHEN sum(copy) OVER steps > 0 THEN 'exposed_copy'
              WHEN sum(unclassified) OVER steps > 0 THEN 'unclassified'
              ELSE 'idle' END AS row
  FROM counts WINDOW steps AS (PARTITION BY rank, step ORDER BY time)),
-- The span that ends an idle gap: of several, the one launched first.
starts AS (SELECT spans.rank, spans.first AS time, min(calls.start_ns) AS launched,
                  min_by(calls.start_ns + calls.duration_ns, calls.start_ns) AS returned
           FROM spans LEFT JOIN '{tables}/calls/*/*.parquet' calls USING (rank, call_id) GROUP BY ALL),
ended AS (SELECT pieces.*, returned FROM pieces ASOF LEFT JOIN starts ON pieces.rank = starts.rank AND pieces.last <= starts.time
          WHERE row = 'idle'),
rows AS (
  SELECT row, last - first AS ns FROM pieces WHERE row <> 'idle'
  UNION ALL
  SELECT unnest(['launched', 'not launched', 'unknown']), unnest([
           CASE WHEN returned IS NULL THEN 0 ELSE greatest(0, last - greatest(first, returned)) END,
           CASE WHEN returned IS NULL THEN 0 ELSE greatest(0, least(last, returned) - first) END,
           CASE WHEN returned IS NULL THEN last - first ELSE 0 END])
  FROM ended)
SELECT row, sum(ns)::BIGINT FROM rows WHERE ns > 0 GROUP BY row
