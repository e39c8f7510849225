#include "metrics/stragglers/stage_loads.h"

#include <algorithm>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

int64_t computed(const RankCollective& message) {
  return message.before.rows[static_cast<size_t>(LedgerRow::kCompute)];
}

}  // namespace

StageLoads::StageLoads(const std::vector<RankTimeline>& ranks, const PipelineStages& stages)
    : ranks_(ranks), stages_(stages) {
  Replicas replicas;
  for (uint32_t rank = 0; rank < ranks.size(); ++rank)
    if (stages.stage(rank).is_known()) add_loads(ranks[rank], replicas);
  for (const auto& [pipeline, stages_loads] : replicas) {
    std::vector<Load> of_stages;
    for (const auto& [number, loads] : stages_loads) {
      loads_[pipeline][number] = lower_median(loads);
      of_stages.push_back(loads_[pipeline][number]);
    }
    if (static_cast<int32_t>(of_stages.size()) == pipeline.second)
      typical_[pipeline] = lower_median(std::move(of_stages));
  }
}

void StageLoads::add_loads(const RankTimeline& rank, Replicas& replicas) {
  const RankCollective *last_before = nullptr, *last = nullptr;
  const auto close_step = [&] {
    if (last_before == nullptr || last == nullptr) return;
    const Load load{computed(*last) - computed(*last_before), last->before.work - last_before->before.work};
    replicas[{rank.steps[last->step].number, last->communicator_size}][last->communicator_rank].push_back(load);
  };
  for (const RankCollective& own : rank.collectives) {
    if (own.peer_calls.empty() || own.step == kNoStep) continue;
    if (last != nullptr && own.step != last->step) {
      close_step();
      last_before = last;
    }
    last = &own;
  }
  close_step();
}

StageLoads::Load StageLoads::lower_median(std::vector<Load> loads) {
  const auto middle = loads.begin() + static_cast<std::ptrdiff_t>((loads.size() - 1) / 2);
  std::nth_element(loads.begin(), middle, loads.end(),
                   [](const Load& a, const Load& b) { return a.compute_ns < b.compute_ns; });
  return *middle;
}

StageLoads::Excess StageLoads::excess(uint32_t rank, uint32_t collective) const {
  const int32_t step = ranks_[rank].collectives[collective].step;
  const StageOfRank stage = stages_.stage(rank);
  if (step == kNoStep || !stage.is_known()) return {};
  const Pipeline pipeline{ranks_[rank].steps[step].number, stage.stages};
  const auto typical = typical_.find(pipeline);
  if (typical == typical_.end()) return {};
  const auto own = loads_.at(pipeline).find(stage.number);
  if (own == loads_.at(pipeline).end()) return {};
  const auto load = static_cast<double>(own->second.compute_ns);
  const auto usual = static_cast<double>(typical->second.compute_ns);
  if (load <= kLoadedStage * usual) return {};
  const ComputeWork &work = own->second.work, &usual_work = typical->second.work;
  return {1 - usual / load, std::any_of(kWorkMeasures.begin(), kWorkMeasures.end(), [&](const auto measure) {
            return work.*measure > kMoreWork * (usual_work.*measure);
          })};
}

}  // namespace tauprof
