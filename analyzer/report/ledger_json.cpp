#include "report/ledger_json.h"

namespace tauprof {
namespace {

Json rows(const LedgerRows& of) {
  Json result = Json::object();
  for (size_t row = 0; row < kLedgerRowCount; ++row) result[std::string(kLedgerRowNames[row])] = of[row];
  return result;
}

// How much of each idle row was recorded, and how much inferred.
Json evidence(const LedgerRows& of, const LedgerRows& inferred) {
  Json result = Json::object();
  for (auto row = static_cast<size_t>(LedgerRow::kIdleDependency); row < kLedgerRowCount; ++row)
    result[std::string(kLedgerRowNames[row])] = {{"recorded", of[row] - inferred[row]}, {"inferred", inferred[row]}};
  return result;
}

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
  Json by_phase = Json::object();
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    by_phase[std::string(kPhaseNames[phase])] = rows(of.cells[phase]);
  return {{"rows", rows(of.rows())},
          {"by_phase", by_phase},
          {"evidence", evidence(of.rows(), metrics.inferred)},
          {"sum_ns", of.sum()},
          {"step_ns", metrics.step_ns()}};
}

Json overlap_json(const Overlap& of) {
  return {{"overlap_fraction", or_null(of.fraction())},
          {"overlap_efficiency", or_null(of.efficiency())},
          {"overlap_efficiency_step", or_null(of.efficiency_step())},
          {"comm_ns", of.comm},
          {"compute_ns", of.compute},
          {"hidden_comm_ns", of.hidden_comm()},
          {"exposed_comm_ns", of.exposed_comm()}};
}

Json per_rank_json(const RunMetrics& metrics) {
  Json result = Json::array();
  for (const RankMetrics& rank : metrics.ranks)
    result.push_back({{"rank", rank.rank},
                      {"host", text_or_null(rank.host)},
                      {"step_ns", rank.step_ns},
                      {"ledger", rows(rank.ledger.rows())},
                      {"overlap", overlap_json(rank.overlap)},
                      {"hta", hta(rank.hta)}});
  return result;
}

}  // namespace tauprof
