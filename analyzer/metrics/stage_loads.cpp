#include "metrics/stage_loads.h"

#include <algorithm>
#include <utility>

#include "metrics/thresholds.h"

namespace tauprof {
namespace {

int64_t computed(const RankCollective& message) {
  return message.before.rows[static_cast<size_t>(LedgerRow::kCompute)];
}

// A rank with messages on several communicators has no one place.
bool has_one_place(const RankTimeline& rank) {
  const RankCollective* first = nullptr;
  for (const RankCollective& own : rank.collectives) {
    if (own.peer_calls.empty()) continue;
    if (!own.has_identity || own.communicator_rank < 0 || own.communicator_size < 2) return false;
    if (first != nullptr && first->communicator != own.communicator) return false;
    first = &own;
  }
  return first != nullptr;
}

}  // namespace

StageLoads::StageLoads(const std::vector<RankTimeline>& ranks) : ranks_(ranks) {
  Replicas replicas;
  for (const RankTimeline& rank : ranks)
    if (has_one_place(rank)) add_loads(rank, replicas);
  for (const auto& [pipeline, stages] : replicas) {
    std::vector<Load> of_stages;
    for (const auto& [place, loads] : stages) {
      loads_[pipeline][place] = lower_median(loads);
      of_stages.push_back(loads_[pipeline][place]);
    }
    if (static_cast<int32_t>(of_stages.size()) == pipeline.second)
      typical_[pipeline] = lower_median(std::move(of_stages));
  }
}

void StageLoads::add_loads(const RankTimeline& rank, Replicas& replicas) {
  const RankCollective *last_before = nullptr, *last = nullptr;
  const auto close_step = [&] {
    if (last_before == nullptr || last == nullptr) return;
    const Load load{computed(*last) - computed(*last_before),
                    static_cast<int64_t>(last->before.compute_spans - last_before->before.compute_spans)};
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
  const RankCollective& message = ranks_[rank].collectives[collective];
  if (message.step == kNoStep) return {};
  const Pipeline pipeline{ranks_[rank].steps[message.step].number, message.communicator_size};
  const auto typical = typical_.find(pipeline);
  if (typical == typical_.end()) return {};
  const auto own = loads_.at(pipeline).find(message.communicator_rank);
  if (own == loads_.at(pipeline).end()) return {};
  const auto load = static_cast<double>(own->second.compute_ns);
  const auto usual = static_cast<double>(typical->second.compute_ns);
  if (load <= kLoadedStage * usual) return {};
  return {1 - usual / load,
          static_cast<double>(own->second.kernels) > kMoreKernels * static_cast<double>(typical->second.kernels)};
}

}  // namespace tauprof
