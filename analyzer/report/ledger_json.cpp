#include "report/ledger_json.h"

namespace tauprof {
namespace {

Json rows(const LedgerRows& of, bool is_timed) {
  Json result = Json::object();
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    result[std::string(kLedgerRowNames[row])] = time_or_null(of[row], is_timed);
  return result;
}

// How much of each idle row was recorded, and how much inferred.
Json evidence(const LedgerRows& of, const LedgerRows& inferred, bool is_timed) {
  Json result = Json::object();
  for (auto row = static_cast<size_t>(LedgerRow::kIdleDependency); row < kLedgerRowCount; ++row)
    result[std::string(kLedgerRowNames[row])] = {{"recorded", time_or_null(of[row] - inferred[row], is_timed)},
                                                 {"inferred", time_or_null(inferred[row], is_timed)}};
  return result;
}

constexpr const char* kStepShort =
    "HTA itself keeps one step more: the trace has GPU copies of ProfilerStep# without a stream, which it takes for "
    "steps of the host";

Json hta(const HtaBreakdown& of) {
  if (!of.is_defined) return nullptr;
  return {{"kernel_time_us", of.kernel_time_us},
          {"idle_time_us", of.idle_time_us},
          {"compute_time_us", of.compute_time_us},
          {"non_compute_time_us", of.non_compute_time_us},
          {"comp_comm_overlap_pctg", of.has_overlap ? Json(of.overlap_percent) : Json(nullptr)}};
}

}  // namespace

Json ledger_json(const RunMetrics& metrics) {
  const Ledger& of = metrics.ledger;
  const bool is_timed = metrics.is_timed();
  Json by_phase = Json::object();
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    by_phase[std::string(kPhaseNames[phase])] = rows(of.cells[phase], is_timed);
  return {{"rows", rows(of.rows(), is_timed)},
          {"by_phase", by_phase},
          {"evidence", evidence(of.rows(), metrics.inferred, is_timed)},
          {"sum_ns", time_or_null(of.sum(), is_timed)},
          {"step_ns", time_or_null(metrics.step_ns(), is_timed)}};
}

Json overlap_json(const Overlap& of, bool is_timed) {
  return {{"overlap_fraction", or_null(of.fraction())},
          {"overlap_efficiency", or_null(of.efficiency())},
          {"overlap_efficiency_step", or_null(of.efficiency_step())},
          {"comm_ns", time_or_null(of.comm, is_timed)},
          {"compute_ns", time_or_null(of.compute, is_timed)},
          {"hidden_comm_ns", time_or_null(of.hidden_comm(), is_timed)},
          {"exposed_comm_ns", time_or_null(of.exposed_comm(), is_timed)}};
}

Json per_rank_json(const RunMetrics& metrics) {
  Json result = Json::array();
  for (const RankMetrics& rank : metrics.ranks) {
    const bool is_timed = rank.untimed_because.empty();
    result.push_back({{"rank", rank.rank},
                      {"devices", rank.devices},
                      {"host", text_or_null(rank.host)},
                      {"no_device_times", text_or_null(rank.untimed_because)},
                      {"step_ns", time_or_null(rank.step_ns, is_timed)},
                      {"ledger", rows(rank.ledger.rows(), is_timed)},
                      {"overlap", overlap_json(rank.overlap, is_timed)},
                      {"hta", hta(rank.hta)},
                      {"hta_differs", rank.hta.is_a_step_short ? Json(kStepShort) : Json(nullptr)}});
  }
  return result;
}

}  // namespace tauprof
