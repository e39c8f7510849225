#include "metrics/stragglers/own_excess.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"
#include "metrics/stragglers/excess_cause.h"
#include "metrics/stragglers/input_times.h"
#include "metrics/stragglers/kernel_times.h"
#include "metrics/stragglers/more_than_chance.h"
#include "metrics/stragglers/more_work.h"
#include "metrics/stragglers/pipeline_stages.h"
#include "metrics/stragglers/stage_loads.h"
#include "metrics/stragglers/typical_spending.h"

namespace tauprof {
namespace {

// The ranks that do the same in a step.
struct Alike {
  struct Load {
    uint32_t rank;
    SpentTime spent;
    double exchanged;  // as exchanged_bytes
  };

  size_t step = 0;  // analysed
  int64_t number = 0;
  StageOfRank place;
  std::vector<Load> loads;
  SpentTime typical;     // of them
  SpentTime expected;    // the same without what their stage has too much of
  double exchanged = 0;  // typically
  double unusual = 0;    // by how much a stage without replicas computes longer than in other steps
};

// A row of the ledger, of one rank in one step.
struct Cell {
  const Alike* alike;
  const Alike::Load* load;
  double longer;  // ns
  double noise;   // how far it is off, up or down
};

double total_ns(const SpentTime& spent) {
  return static_cast<double>(std::accumulate(spent.rows.begin(), spent.rows.end(), Nanoseconds{0}));
}

double idle_ns(const SpentTime& spent) { return static_cast<double>(idle_time(spent.rows)); }

double computing_ns(const SpentTime& spent) {
  return static_cast<double>(spent.rows[static_cast<size_t>(LedgerRow::kCompute)] +
                             spent.rows[static_cast<size_t>(LedgerRow::kUnclassified)]);
}

// By rank and step number.
std::vector<FlatMap<int64_t, double>> exchanged_in_steps(const std::vector<RankTimeline>& ranks) {
  std::vector<FlatMap<int64_t, double>> found(ranks.size());
  for (size_t rank = 0; rank < ranks.size(); ++rank)
    for (const RankCollective& collective : ranks[rank].collectives)
      if (collective.step != kNoStep)
        found[rank][ranks[rank].steps[collective.step].number] += exchanged_bytes(collective);
  return found;
}

class Search {
 public:
  Search(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
         const StepSelection& steps, const TelemetryCauses& telemetry)
      : telemetry_(telemetry),
        stages_(ranks, matches),
        loads_(ranks, stages_),
        kernel_times_(ranks, stages_),
        input_times_(ranks, stages_) {
    std::map<int64_t, size_t> index;
    for (size_t i = 0; i < steps.analysed.size(); ++i) index[steps.analysed[i].number] = i;
    std::vector<FlatMap<int64_t, double>> exchanged = exchanged_in_steps(ranks);
    std::map<std::tuple<size_t, int32_t, int32_t>, Alike> found;
    for (uint32_t rank = 0; rank < ranks.size(); ++rank) {
      const StageOfRank place = stages_.place(rank);
      for (const RankStep& step : ranks[rank].steps) {
        const auto analysed = index.find(step.number);
        if (!step.device || analysed == index.end()) continue;
        Alike& alike = found[{analysed->second, place.number, place.stages}];
        alike.step = analysed->second;
        alike.number = step.number;
        alike.place = place;
        alike.loads.push_back({rank, load_of(step), exchanged[rank][step.number]});
        ++cells_;
      }
    }
    for (auto& [where, alike] : found) {
      expect(alike);
      alike_.push_back(std::move(alike));
    }
  }

  OwnTimes find(size_t ranks) const {
    OwnTimes found;
    for (size_t row = 0; row < kLedgerRowCount; ++row)
      if (is_own(row)) find_on(static_cast<LedgerRow>(row), found.excess);
    found.computing.resize(ranks);
    for (const Alike& alike : alike_)
      for (const Alike::Load& load : alike.loads)
        found.computing[load.rank][alike.step] = {computing_ns(load.spent), computing_ns(alike.typical),
                                                  computing_ns(alike.expected)};
    std::map<std::pair<int32_t, int32_t>, size_t> groups;
    for (uint32_t rank = 0; rank < ranks; ++rank) {
      const StageOfRank place = stages_.place(rank);
      found.group.push_back(groups.try_emplace({place.number, place.stages}, groups.size()).first->second);
      found.alike.resize(groups.size());
      found.alike[found.group.back()].push_back(rank);
    }
    return found;
  }

 private:
  void expect(Alike& alike) const {
    std::vector<SpentTime> spent;
    std::vector<double> exchanged;
    for (const Alike::Load& load : alike.loads) {
      spent.push_back(load.spent);
      exchanged.push_back(load.exchanged);
    }
    alike.exchanged = tauprof::lower_median(exchanged);
    alike.typical = alike.expected = lower_median(spent);
    if (!alike.place.is_known()) return;
    loads_.take_excess(alike.place, alike.number, alike.number, alike.expected);
    if (alike.loads.size() == 1) alike.unusual = loads_.unusual_computing(alike.place, alike.number);
  }

  void find_on(LedgerRow row, std::vector<OwnExcess>& found) const {
    const auto number = static_cast<size_t>(row);
    std::vector<Cell> cells;  // those that are off
    for (const Alike& alike : alike_)
      for (const Alike::Load& load : alike.loads) {
        const auto expected = static_cast<double>(alike.expected.rows[number]);
        Cell cell{&alike, &load, static_cast<double>(load.spent.rows[number]) - expected, 0};
        cell.noise = std::abs(cell.longer);
        cell.longer = std::min(cell.longer, total_ns(load.spent) - total_ns(alike.expected));
        if (is_idle(row)) cell.longer = std::min(cell.longer, idle_ns(load.spent) - idle_ns(alike.expected));
        if (row == LedgerRow::kCompute) {
          cell.noise = std::max(cell.noise, std::abs(alike.unusual));
          if (cell.longer <= (kLonger - 1) * expected) cell.longer = 0;
        }
        if (cell.noise > 0) cells.push_back(cell);
      }
    std::stable_sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.noise < b.noise; });
    ValueChance chance(cells_, cells_ - cells.size());
    for (const Cell& cell : cells) {
      const bool is_chance = !chance.is_beyond(cell.longer);
      chance.add(cell.noise);
      if (is_chance) continue;
      if (const Cause cause = cause_behind(row, cell); cause != Cause::kUnknown)
        found.push_back({cell.load->rank, cell.alike->step, cause, cell.longer});
    }
  }

  Cause cause_behind(LedgerRow row, const Cell& cell) const {
    const Alike& alike = *cell.alike;
    const uint32_t rank = cell.load->rank;
    BesidePeers beside{Cause::kSlowCompute, false, copies_more(cell.load->spent, alike.expected)};
    if (row == LedgerRow::kCompute || row == LedgerRow::kUnclassified) beside.computing = why_computing(cell);
    if (row == LedgerRow::kExposedCopy)
      beside.copies_input_longer = input_times_.explain(rank, {alike.number, alike.number}, cell.longer);
    const Cause cause = cause_of(row, beside);
    if (cause == Cause::kSlowCompute && telemetry_.is_throttled(rank, alike.step)) return Cause::kThrottled;
    return is_of_host(cause) && telemetry_.lacked_cpu(rank, alike.step, cell.longer) ? Cause::kCpuContention : cause;
  }

  // The cause against its replicas, or against other stages: whichever of the two makes it compute longer.
  Cause why_computing(const Cell& cell) const {
    const uint32_t rank = cell.load->rank;
    const ComputeSpending own = computing(cell.load->spent, cell.load->exchanged),
                          typical = computing(cell.alike->typical, cell.alike->exchanged),
                          expected = computing(cell.alike->expected, cell.alike->exchanged);
    return own.time - typical.time > typical.time - expected.time
               ? why_longer(rank, own, typical, KernelTimes::Peers::kOfStage)
               : why_longer(rank, typical, expected, KernelTimes::Peers::kAll);
  }

  Cause why_longer(uint32_t rank, const ComputeSpending& own, const ComputeSpending& other,
                   KernelTimes::Peers peers) const {
    return tauprof::why_longer(own, other, kernel_times_.only_additional(rank, peers, own.work - other.work));
  }

  const TelemetryCauses& telemetry_;
  const PipelineStages stages_;
  const StageLoads loads_;
  const KernelTimes kernel_times_;
  const InputTimes input_times_;
  std::vector<Alike> alike_;
  size_t cells_ = 0;  // of a row
};

}  // namespace

OwnTimes own_times(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                   const StepSelection& steps, const TelemetryCauses& telemetry) {
  return Search(ranks, matches, steps, telemetry).find(ranks.size());
}

}  // namespace tauprof
