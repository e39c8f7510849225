#include "findings/find.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "findings/input_findings.h"
#include "findings/progress_findings.h"
#include "metrics/thresholds.h"

namespace tauprof {
namespace {

// A row of the ledger that is worth a finding above a share of the step.
struct RowRule {
  LedgerRow row;
  double share;
  const char* id;
  const char* title;
  const char* advice;
};

constexpr std::array kRowRules = {
    RowRule{LedgerRow::kIdleDataWait, 0.03, "data-wait", "The device waits for input data",
            "More or faster loader workers, a deeper prefetch, or decoding on the device."},
    RowRule{
        LedgerRow::kIdleHostSync, 0.03, "host-sync", "Blocking calls drain the device",
        "Find .item(), .cpu(), print and synchronize in the loop; read losses back every n steps and asynchronously."},
    RowRule{LedgerRow::kIdleHostLaunch, 0.05, "launch-bound", "The host cannot launch fast enough",
            "CUDA graphs, torch.compile, larger batches, fused optimizers; look for slow host code between launches."},
    RowRule{LedgerRow::kIdleHostStall, 0.03, "host-stall", "Launching threads stop while the device idles",
            "Look at what the thread waits for: locks, I/O, garbage collection, CPU contention."},
    RowRule{LedgerRow::kExposedCommTransfer, 0.05, "exposed-comm", "Communication is not hidden under computation",
            "Overlap it (bucket sizes, prefetch of shards, separate streams) or send less."},
    RowRule{LedgerRow::kExposedCommUnsplit, 0.05, "exposed-comm-unsplit",
            "Communication is exposed; waiting and moving cannot be told apart",
            "Analyse the logs of all ranks of the communicator together."},
    RowRule{LedgerRow::kExposedCommWait, 0.05, "comm-wait", "Ranks wait for each other",
            "See the stragglers: the wait is theirs, not the network's."},
    RowRule{LedgerRow::kExposedCopy, 0.03, "exposed-copy", "Copies run while nothing computes",
            "Pinned memory and non_blocking copies on a stream of their own, one batch ahead."},
    RowRule{LedgerRow::kIdleDependency, 0.05, "dependency", "The device waits for events of other streams",
            "Check which stream the waits are for; split large copies or buckets so that work can begin earlier."},
    RowRule{LedgerRow::kUnclassified, 0.01, "unclassified", "Work that no rule classifies",
            "It is listed under quality. For what is in CUDA graphs, add graph-nodes to TAUPROF_CAPTURE."},
    RowRule{LedgerRow::kIdleOther, kUnexplainedShare, "unexplained-idle", "Idle time that the records do not explain",
            "Record host calls too (TAUPROF_CAPTURE), or look for launches from libraries that bypass the runtime."},
};

Severity severity_of(double share) {
  return share >= 0.15 ? Severity::kCritical : share >= 0.05 ? Severity::kWarning : Severity::kInfo;
}

class Search {
 public:
  Search(const RunFacts& facts, const RunMetrics& metrics) : facts_(facts), metrics_(metrics) {
    for (const RankMetrics& rank : metrics_.ranks) total_ns_ += static_cast<double>(rank.step_ns);
  }

  std::vector<Finding> run() {
    look_at_rows();
    look_at_stragglers();
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Finding& a, const Finding& b) { return a.saves_ns_per_step > b.saves_ns_per_step; });
    look_at_quality();
    add_progress_findings(metrics_, found_);
    add_input_findings(metrics_, found_);
    add_step_findings(facts_, metrics_, found_);
    return std::move(found_);
  }

 private:
  double per_step(double ns) const { return metrics_.windows > 0 ? ns / static_cast<double>(metrics_.windows) : 0; }

  // Where most of the row's time went; empty: less than a tenth of it has a place.
  std::string costliest_place(LedgerRow row) const {
    const auto number = static_cast<size_t>(row);
    std::map<std::string_view, Nanoseconds> by_place;
    for (const PlaceMetrics& place : metrics_.places) by_place[place.where] += place.charged[number];
    const auto most = std::max_element(by_place.begin(), by_place.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    const bool is_worth_it = most != by_place.end() && 10 * most->second >= metrics_.ledger.rows()[number];
    return is_worth_it ? std::string(most->first) : std::string();
  }

  void look_at_rows() {
    if (total_ns_ <= 0) return;
    const LedgerRows rows = metrics_.ledger.rows();
    for (const RowRule& rule : kRowRules) {
      const auto ns = static_cast<double>(rows[static_cast<size_t>(rule.row)]);
      const double share = ns / total_ns_;
      if (share < rule.share) continue;
      Finding finding{rule.id, severity_of(share), rule.title};
      finding.evidence = fmt::format("{} is {:.1f} % of all ranks' step time ({:.3f} ms per rank and step)",
                                     row_name(rule.row), 100 * share, per_step(ns) / 1e6);
      finding.saves_ns_per_step = per_step(ns);
      finding.advice = rule.advice;
      finding.where = costliest_place(rule.row);
      found_.push_back(std::move(finding));
    }
  }

  void look_at_stragglers() {
    for (const Straggler& straggler : metrics_.stragglers.found) {
      Finding finding{"straggler", severity_of(straggler.score),
                      fmt::format("Rank {} holds up the others", straggler.rank)};
      finding.evidence = fmt::format(
          "the others waited {:.1f} ms for it in {} of {} {}; it arrived last at {:.0f} % of its collectives; "
          "cause: {}{}",
          straggler.blamed_ns / 1e6, straggler.steps.size(), metrics_.steps.analysed.size(),
          facts_.is_by_time() ? "slices of time" : "steps", 100 * straggler.last_share,
          kCauseNames[static_cast<size_t>(straggler.cause)],
          straggler.is_within_clock_bound ? "; its clock may be wrong by as much" : "");
      if (straggler.is_within_clock_bound) finding.severity = Severity::kInfo;
      finding.ranks = {straggler.rank};
      finding.steps = straggler.steps;
      finding.saves_ns_per_step = straggler.cost_ns_per_step;
      finding.advice = "Compare this rank's ledger with its peers' (per_rank) on the row that the cause names.";
      found_.push_back(std::move(finding));
    }
  }

  void note(const char* id, Severity severity, std::string title, std::string evidence, std::string advice) {
    found_.push_back({id, severity, std::move(title), std::move(evidence), {}, {}, 0, std::move(advice), {}});
  }

  void look_at_quality() {
    if (!facts_.missing_ranks.empty())
      note("missing-ranks", Severity::kWarning, "Logs of some ranks are missing",
           fmt::format("{} of {} ranks have a log", facts_.ranks, facts_.world_size),
           "Waits and stragglers need the logs of all ranks in one directory.");
    if (!metrics_.waits.clocks_agree)
      note("clocks", Severity::kWarning, "The ranks' clocks do not agree",
           fmt::format("{} collectives end on one rank before they start on another", metrics_.waits.contradicting),
           "Waits were not split from transfers and nobody was blamed.");
    if (metrics_.waits.clocks_agree && metrics_.waits.not_together > 0)
      note("groups", Severity::kWarning, "Collectives that should end together do not",
           fmt::format("on {} communicators: their ranks are not one group, or their clocks differ",
                       metrics_.waits.not_together),
           "Their waits were not split. Traces of newer PyTorch name the process groups; logs of one host share a "
           "clock.");
    if (facts_.dropped_total() > 0)
      note("dropped", Severity::kWarning, "Records were dropped while recording",
           fmt::format("{} of {} events", facts_.dropped_total(), facts_.dropped_total() + facts_.events),
           "Raise TAUPROF_BUFFER_MB or narrow TAUPROF_CAPTURE.");
    if (facts_.files_damaged > 0)
      note("damaged", Severity::kWarning, "Some logs are damaged",
           fmt::format("{} files, {} records lost", facts_.files_damaged, facts_.lost_records),
           "tauprof check names them; everything outside the damage was used.");
    if (!facts_.steps_sources_agree)
      note("steps-disagree", Severity::kWarning, "Ranks mark their steps in different ways",
           "not all ranks carry the same step markers", "Compare steps across ranks with care.");
  }

  const RunFacts& facts_;
  const RunMetrics& metrics_;
  double total_ns_ = 0;
  std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> find_findings(const RunFacts& facts, const RunMetrics& metrics) {
  return Search(facts, metrics).run();
}

}  // namespace tauprof
