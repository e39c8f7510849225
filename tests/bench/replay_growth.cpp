// Measures the replay of a run that is made in memory, so that nothing is read: RANKS ranks with OPERATIONS operations
// each. Prints times and memory as JSON, for scripts/bench replay.
//
// Each step of a rank has layers of a call, the host before it, and the kernel that it launches; every tenth layer
// launches an all-reduce of all ranks on a second stream, and the step ends when the host has waited for the device.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <memory>

#include "replay/changes.h"
#include "replay/replay_error.h"

namespace tauprof {
namespace {

constexpr uint32_t kLayers = 100;  // of a step
constexpr uint32_t kCollectiveEvery = 10;
constexpr uint32_t kStepOperations = 3 * (kLayers + kLayers / kCollectiveEvery) + 2;
constexpr Nanoseconds kCall = 4'000, kBetween = 6'000, kKernel = 20'000, kTransfer = 150'000;

class RankMaker {
 public:
  RankMaker(uint32_t rank, uint32_t steps)
      : rank_(rank), steps_(steps), process_(std::make_shared<ProcessOperations>()) {}

  RankTimeline make() {
    const uint32_t launches = kLayers + kLayers / kCollectiveEvery;
    const size_t device = size_t{steps_} * launches, all = size_t{steps_} * kStepOperations;
    process_->names = {"kernel", "ncclDevKernel_AllReduce", "cudaLaunchKernel", "cudaDeviceSynchronize"};
    process_->operations.resize(all);
    process_->times.resize(all);
    edges_of_.resize(all);
    host_ = static_cast<uint32_t>(device);
    for (uint32_t step = 0; step < steps_; ++step) make_step(step, launches);
    for (uint32_t step = 0; step < steps_; ++step) {
      OperationStep own{.number = step, .first = step * launches};
      if (step + 1 == steps_)
        own.last_works = {(step + 1) * launches - 1};
      else
        own.next = (step + 1) * launches;
      own_steps_.push_back(own);
      process_->step_numbers.push_back(step);
    }
    process_->steps = {own_steps_};
    process_->lags.resize(1);
    for (const std::vector<OperationEdge>& edges : edges_of_) {
      process_->first_edge.push_back(static_cast<uint32_t>(process_->edges.size()));
      process_->edges.insert(process_->edges.end(), edges.begin(), edges.end());
    }
    process_->first_edge.push_back(static_cast<uint32_t>(process_->edges.size()));
    timeline_.rank = static_cast<int32_t>(rank_);
    timeline_.operations = process_;
    return std::move(timeline_);
  }

 private:
  void make_step(uint32_t step, uint32_t launches) {
    uint32_t device = step * launches;
    for (uint32_t layer = 0; layer < kLayers; ++layer) {
      launch(step, device++, false);
      if (layer % kCollectiveEvery == kCollectiveEvery - 1) launch(step, device++, true);
    }
    const uint32_t between = host(step, OperationKind::kBetween, kBetween, 3);
    const uint32_t wait = host(step, OperationKind::kReturn, 0, 3);
    for (const uint32_t awaited : {last_[0], last_[1]}) {
      edges_of_[wait].push_back({awaited, EdgeKind::kWaitFor});
      now_ = std::max(now_, process_->times[awaited].end);
    }
    process_->times[wait] = {now_, now_};
    static_cast<void>(between);
  }

  uint32_t host(uint32_t step, OperationKind kind, Nanoseconds length, uint32_t name) {
    const uint32_t id = host_++;
    label(id, step, kind, name);
    if (host_ > 1 && last_host_ != kNoIndex) edges_of_[id].push_back({last_host_, EdgeKind::kThread});
    process_->times[id] = {now_, now_ + length};
    now_ += length;
    last_host_ = id;
    return id;
  }

  void launch(uint32_t step, uint32_t id, bool is_collective) {
    const uint32_t between = host(step, OperationKind::kBetween, kBetween, 2);
    host(step, OperationKind::kCall, kCall, 2);
    label(id, step, is_collective ? OperationKind::kComm : OperationKind::kCompute, is_collective);
    Nanoseconds start = now_;
    for (const uint32_t before : {last_[is_collective], is_collective ? last_[0] : kNoIndex}) {
      if (before == kNoIndex) continue;
      edges_of_[id].push_back({before, edges_of_[id].empty() ? EdgeKind::kStream : EdgeKind::kEvent});
      start = std::max(start, process_->times[before].end);
    }
    edges_of_[id].push_back({between, EdgeKind::kLaunch});
    process_->times[id] = {start, start + (is_collective ? kTransfer : kKernel + (id * 37 + rank_ * 11) % 1'000)};
    last_[is_collective] = id;
    if (!is_collective) return;
    process_->operations[id].collective = static_cast<uint32_t>(timeline_.collectives.size());
    RankCollective& own = timeline_.collectives.emplace_back();
    own.operation = log::Operation::kAllReduce;
    own.is_split = true;
  }

  void label(uint32_t id, uint32_t step, OperationKind kind, uint32_t name) {
    OperationLabel& operation = process_->operations[id];
    operation.name = name;
    operation.step = static_cast<int32_t>(step);
    operation.kind = kind;
  }

  const uint32_t rank_, steps_;
  std::shared_ptr<ProcessOperations> process_;
  std::vector<std::vector<OperationEdge>> edges_of_;
  std::vector<OperationStep> own_steps_;
  RankTimeline timeline_;
  uint32_t host_ = 0, last_host_ = kNoIndex, last_[2] = {kNoIndex, kNoIndex};
  Nanoseconds now_ = 0;
};

std::vector<MatchedCollective> all_matches(const std::vector<RankTimeline>& ranks) {
  std::vector<MatchedCollective> matches(ranks.front().collectives.size());
  for (uint32_t i = 0; i < matches.size(); ++i) {
    matches[i].operation = log::Operation::kAllReduce;
    matches[i].expected = static_cast<int32_t>(ranks.size());
    for (uint32_t rank = 0; rank < ranks.size(); ++rank) matches[i].members.push_back({rank, i, false});
  }
  return matches;
}

double seconds_for(auto&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int measure(uint32_t rank_count, uint32_t operations) {
  const uint32_t step_count = std::max(2u, operations / kStepOperations);
  std::vector<RankTimeline> ranks;
  for (uint32_t rank = 0; rank < rank_count; ++rank) ranks.push_back(RankMaker(rank, step_count).make());
  const std::vector<MatchedCollective> matches = all_matches(ranks);
  StepSelection steps;
  for (uint32_t step = 0; step < step_count; ++step) steps.numbers.insert(step);
  std::optional<RunGraph> run;
  const double join_s = seconds_for([&] { run.emplace(ranks, matches, steps); });
  if (!run->reason().empty()) return fmt::print(stderr, "replay_growth: {}\n", run->reason()), 1;
  const double error_s = seconds_for([&] { replay_error(*run); });
  const double replay_s = seconds_for([&] {
    Changes changes(*run);
    changes.remove(0);
    changes.saving();
  });
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print(
      "{{\"operations\": {}, \"edges\": {}, \"join_s\": {}, \"replay_error_s\": {}, \"replay_s\": {}, \"peak_mb\": "
      "{}}}\n",
      run->graph().size(), run->graph().edge_count(), join_s, error_s, replay_s,
      static_cast<double>(usage.ru_maxrss) * 1024 / 1e6);
  return 0;
}

}  // namespace
}  // namespace tauprof

int main(int argc, char** argv) {
  if (argc != 3) return fmt::print(stderr, "usage: replay_growth RANKS OPERATIONS\n"), 2;
  return tauprof::measure(static_cast<uint32_t>(std::max(1, std::atoi(argv[1]))),
                          static_cast<uint32_t>(std::max(1, std::atoi(argv[2]))));
}
