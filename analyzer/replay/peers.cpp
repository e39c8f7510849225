#include "replay/peers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

// How much of what `other` does `own` does, too.
double likeness(const std::map<uint32_t, double>& own, const std::map<uint32_t, double>& other) {
  double shared = 0, all = 0;
  for (const auto& [name, count] : other) {
    const auto same = own.find(name);
    shared += std::min(count, same == own.end() ? 0 : same->second);
    all += count;
  }
  return all > 0 ? shared / all : 0;
}

}  // namespace

const Peers::Counts& Peers::kernels_of(size_t rank) {
  const auto [known, is_new] = kernels_.try_emplace(rank);
  Counts& counts = known->second;
  if (is_new)
    run_.for_operations(rank, [&](OperationId, const OperationLabel& operation) {
      if (operation.kind == OperationKind::kCompute && run_.step_of(rank, operation) != kNoStep)
        counts[run_.name_of(rank, operation)] += 1;
    });
  return counts;
}

std::vector<size_t> Peers::of(size_t rank) {
  std::vector<std::pair<double, size_t>> like;
  for (size_t other = 0; other < run_.rank_count(); ++other)
    if (other != rank) like.emplace_back(-likeness(kernels_of(rank), kernels_of(other)), other);
  std::sort(like.begin(), like.end());
  std::vector<size_t> peers;
  for (const auto& [unlike, other] : like)
    if (-unlike >= kLikePeers && -unlike >= kLikeTheBest * -like.front().first) peers.push_back(other);
  return peers;
}

const std::vector<Peers::Placed>& Peers::operations(size_t rank, int64_t step) {
  auto& steps = by_step_[rank];
  if (steps.empty()) {
    std::unordered_map<OperationId, OperationId> launches;
    OperationId last = 0;
    run_.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      steps[run_.step_of(rank, operation)].push_back({id, &operation});
      if (is_on_host(operation.kind)) return;
      for (const auto& edge : run_.graph().edges(id))
        if (is_on_host(run_.kind(edge.before))) last = edge.before;
      launches.emplace(id, last);
    });
    // After the start of its launch; on one thread, the numbers of what starts at once tell.
    const auto place = [&](const Placed& one) {
      const auto launch = launches.find(one.id);
      const OperationId host = launch == launches.end() ? one.id : launch->second;
      return std::tuple(run_.measured()[host].start, host, launch != launches.end());
    };
    for (auto& [number, placed] : steps)
      std::stable_sort(placed.begin(), placed.end(),
                       [&](const Placed& a, const Placed& b) { return place(a) < place(b); });
  }
  return steps[step];
}

std::vector<uint64_t> Peers::families(size_t rank, int64_t step) {
  std::vector<uint64_t> families;
  for (const auto& [id, operation] : operations(rank, step))
    families.push_back(family(run_.name_of(rank, *operation), *operation));
  return families;
}

size_t Peers::device_work(size_t rank, int64_t step) {
  const auto [known, is_new] = device_work_.try_emplace({rank, step});
  if (!is_new) return known->second;
  std::vector<uint64_t> work;
  for (const auto& [id, operation] : operations(rank, step))
    if (!is_on_host(operation->kind)) work.push_back(family(run_.name_of(rank, *operation), *operation));
  std::sort(work.begin(), work.end());  // streams have no common order
  return known->second = works_.try_emplace(std::move(work), works_.size()).first->second;
}

// In the order of their launches.
std::vector<Nanoseconds> Peers::kernel_times(size_t rank, int64_t step) {
  std::vector<Nanoseconds> times;
  for (const auto& [id, operation] : operations(rank, step))
    if (operation->kind == OperationKind::kCompute) times.push_back(run_.graph().duration(id));
  return times;
}

// By the correlation of a kernel's time on one rank with its time on the other, over steps; of all kernels, the mean,
// weighted by how much each varies on both.
bool Peers::vary_together(size_t rank, size_t other) {
  const auto [known, is_new] = vary_together_.try_emplace({rank, other});
  if (!is_new) return known->second;
  std::vector<std::vector<Nanoseconds>> own, others;  // by step and kernel
  for (const GraphStep& step : run_.steps(rank)) {
    std::vector<Nanoseconds> here = kernel_times(rank, step.number), there = kernel_times(other, step.number);
    if (here.size() != there.size() || (!own.empty() && here.size() != own.front().size())) continue;
    own.push_back(std::move(here));
    others.push_back(std::move(there));
  }
  if (own.size() < kFewestTestedWaits) return false;
  double common = 0, all = 0;
  for (size_t kernel = 0; kernel < own.front().size(); ++kernel) {
    const auto from_mean = [&](const std::vector<std::vector<Nanoseconds>>& steps) {
      std::vector<double> times;
      for (const std::vector<Nanoseconds>& step : steps) times.push_back(static_cast<double>(step[kernel]));
      const double mean = mean_of(times);
      for (double& time : times) time -= mean;
      return times;
    };
    const std::vector<double> a = from_mean(own), b = from_mean(others);
    common += std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    all += std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0) *
                     std::inner_product(b.begin(), b.end(), b.begin(), 0.0));
  }
  return known->second = explains(common, all);
}

}  // namespace tauprof
