#include <array>

#include "export/sqlite_tables.h"

namespace tauprof {
namespace {

constexpr std::array<std::string_view, 14> kStatements = {
    "CREATE UNIQUE INDEX steps_by_rank ON steps (rank, step)",

    // Times as the report has them: over the analysed steps.
    R"(CREATE VIEW step_times AS
SELECT step, count(device_ns) AS ranks, avg(device_ns) AS mean_ns, min(device_ns) AS shortest_ns,
       max(device_ns) AS longest_ns, avg(host_ns) AS host_mean_ns
FROM steps WHERE analysed GROUP BY step ORDER BY step)",

    R"(CREATE VIEW ledger_totals AS
SELECT row, sum(ns) AS ns,
       1.0 * sum(ns) / (SELECT sum(device_ns) FROM steps WHERE analysed) AS share,
       1.0 * sum(ns) / (SELECT count(device_ns) FROM steps WHERE analysed) AS ns_per_step
FROM ledger JOIN steps USING (rank, step) WHERE analysed GROUP BY row ORDER BY ns DESC)",

    R"(CREATE VIEW ledger_by_phase AS
SELECT phase, row, sum(ns) AS ns FROM ledger JOIN steps USING (rank, step)
WHERE analysed GROUP BY phase, row ORDER BY phase, ns DESC)",

    R"(CREATE VIEW ledger_by_rank AS
SELECT rank, row, sum(ns) AS ns FROM ledger JOIN steps USING (rank, step)
WHERE analysed GROUP BY rank, row ORDER BY rank, ns DESC)",

    R"(CREATE VIEW phase_means AS
SELECT phase, avg(phases.host_ns) AS host_ns, avg(phases.device_ns) AS device_ns,
       1.0 * sum(phases.host_ns) / sum(steps.host_ns) AS host_share,
       1.0 * sum(phases.device_ns) / sum(steps.device_ns) AS device_share
FROM phases JOIN steps USING (rank, step) WHERE analysed GROUP BY phase ORDER BY host_ns DESC)",

    R"(CREATE VIEW kernel_totals AS
SELECT name, class, count(*) AS count, sum(duration_ns) AS total_ns, avg(duration_ns) AS mean_ns,
       max(duration_ns) AS longest_ns
FROM spans JOIN names USING (name_id) JOIN steps USING (rank, step)
WHERE analysed AND class <> 'sync' GROUP BY name, class ORDER BY total_ns DESC)",

    R"(CREATE VIEW call_totals AS
SELECT name, count(*) AS count, sum(duration_ns) AS total_ns, avg(duration_ns) AS mean_ns,
       max(duration_ns) AS longest_ns
FROM calls JOIN names USING (name_id) JOIN steps USING (rank, step)
WHERE analysed AND name <> '' GROUP BY name ORDER BY total_ns DESC)",

    R"(CREATE VIEW loader_waits AS
SELECT step, avg(phases.host_ns) AS host_wait_ns,
       (SELECT coalesce(sum(ns), 0) FROM ledger WHERE ledger.step = steps.step AND row = 'idle_data_wait')
         / count(DISTINCT rank) AS idle_ns
FROM phases JOIN steps USING (rank, step)
WHERE analysed AND phase = 'dataload_wait' GROUP BY step ORDER BY step)",

    // Who waits, and for whom. The last member of a collective is the one that waits least.
    R"(CREATE VIEW rank_waits AS
SELECT rank, count(*) AS collectives, sum(wait_ns) AS wait_ns, sum(transfer_ns) AS transfer_ns,
       sum(exposed_ns) AS exposed_ns
FROM collective_members JOIN steps USING (rank, step) WHERE analysed GROUP BY rank ORDER BY wait_ns)",

    R"(CREATE VIEW last_arrivals AS
SELECT collective_id, communicator, operation, step, rank AS last_rank, others.wait_ns AS others_waited_ns
FROM (SELECT collective_id, rank, step, min(wait_ns) FROM collective_members
      GROUP BY collective_id HAVING count(*) > 1 AND count(wait_ns) = count(*)) AS last
JOIN (SELECT collective_id, sum(wait_ns) AS wait_ns FROM collective_members GROUP BY collective_id) AS others
  USING (collective_id)
JOIN collectives USING (collective_id))",

    // Events with their names.
    R"(CREATE VIEW span_list AS
SELECT span_id, rank, step, number AS stream, start_ns, duration_ns, name, kind, class, phase, bytes, copy_kind, call_id,
       member_id
FROM spans JOIN names USING (name_id) JOIN streams USING (stream_id, rank))",

    R"(CREATE VIEW call_list AS
SELECT call_id, calls.rank, step, os_id AS thread, start_ns, duration_ns, names.name, class, phase, outer_call_id
FROM calls JOIN names USING (name_id) JOIN threads USING (thread_id))",

    R"(CREATE VIEW range_list AS
SELECT ranges.rank, os_id AS thread, start_ns, duration_ns, names.name, source
FROM ranges JOIN names USING (name_id) JOIN threads USING (thread_id))",
};

}  // namespace

std::span<const std::string_view> sqlite_views() { return kStatements; }

}  // namespace tauprof
