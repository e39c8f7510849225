// Estimates from a run how much slower its kernels are beside communication, and what that cost each of them.
#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "limits/analysis_limits.h"
#include "replay/communication_pieces.h"
#include "replay/contention.h"
#include "replay/run_graph.h"
#include "replay/speed_loss.h"

namespace tauprof {
namespace {

BesideShares shares_of(const CommunicationPieces& pieces, Nanoseconds start, Nanoseconds end) {
  Nanoseconds moving = 0, waiting = 0, left = end - start;
  pieces.walk(start, [&](Nanoseconds length, Beside beside) {
    length = std::min(length, left);
    if (beside == Beside::kMoving) moving += length;
    if (beside == Beside::kWaiting) waiting += length;
    return (left -= length) > 0;
  });
  const auto all = static_cast<double>(end - start);
  return {static_cast<double>(moving) / all, static_cast<double>(waiting) / all};
}

struct Sample {
  Nanoseconds duration;
  BesideShares beside;
};

using Kernel = uint64_t;
using Samples = std::unordered_map<Kernel, std::vector<Sample>>;

// Times of kernels away from communication, on each rank. A rank may run all of a kernel's launches beside it, as one
// does that always waits for a slower one; then the kernel's times on other ranks tell, at the speed of this rank's
// device: the ratio of the kernels that both were seen with away from communication.
class TimesAway {
 public:
  explicit TimesAway(size_t ranks) : of_rank_(ranks) {}

  void add(size_t rank, Kernel kernel, const std::vector<Sample>& samples) {
    std::vector<Nanoseconds> away;
    for (const Sample& one : samples)
      if (one.beside.all() <= kAwayFromCommunication) away.push_back(one.duration);
    if (away.size() < kFewKernels) return;
    std::sort(away.begin(), away.end());
    const auto median = static_cast<double>(away[away.size() / 2]);
    const auto spread = static_cast<double>(away[away.size() * 3 / 4] - away[away.size() / 4]);
    // Nothing is known of a kernel that is not the same work each time.
    of_rank_[rank].emplace(kernel, spread > kSameWork * median ? 0 : median);
  }

  // To be called once all are added.
  void compare_ranks() {
    for (const auto& times : of_rank_)
      for (const auto& [kernel, time] : times)
        if (time > 0) elsewhere_[kernel].push_back(time);
    for (auto& [kernel, times] : elsewhere_) std::sort(times.begin(), times.end());
    for (const auto& times : of_rank_) slower_.push_back(slower_than_others(times));
    for (size_t rank = 0; rank < of_rank_.size(); ++rank)
      for (const auto& [kernel, time] : of_rank_[rank])
        if (time > 0 && slower_[rank]) at_usual_speed_[kernel].push_back(time / *slower_[rank]);
    for (auto& [kernel, times] : at_usual_speed_) std::sort(times.begin(), times.end());
  }

  // 0: not known.
  double of(size_t rank, Kernel kernel) const {
    if (const auto known = of_rank_[rank].find(kernel); known != of_rank_[rank].end()) return known->second;
    const auto others = at_usual_speed_.find(kernel);
    return others == at_usual_speed_.end() || !slower_[rank] ? 0 : middle(others->second) * *slower_[rank];
  }

 private:
  static double middle(const std::vector<double>& sorted) { return sorted[sorted.size() / 2]; }

  // Not known where no kernel is shared, or where these differ: then it is not the device.
  std::optional<double> slower_than_others(const std::unordered_map<Kernel, double>& times) const {
    std::vector<double> ratios;
    for (const auto& [kernel, time] : times)
      if (time > 0 && elsewhere_.at(kernel).size() > 1) ratios.push_back(time / middle(elsewhere_.at(kernel)));
    if (ratios.empty()) return std::nullopt;
    std::sort(ratios.begin(), ratios.end());
    const double spread = ratios[ratios.size() * 3 / 4] - ratios[ratios.size() / 4];
    return spread > kSameWork * middle(ratios) ? std::nullopt : std::optional(middle(ratios));
  }

  std::vector<std::unordered_map<Kernel, double>> of_rank_;  // 0: not known
  std::unordered_map<Kernel, std::vector<double>> elsewhere_, at_usual_speed_;
  std::vector<std::optional<double>> slower_;  // by rank
};

void add_samples(const std::vector<Sample>& samples, double alone, SpeedLossFit& fit) {
  size_t beside = 0;
  for (const Sample& one : samples) beside += one.beside.all() >= kBesideCommunication;
  if (alone <= 0 || beside < kFewKernels) return;
  // A kernel that something else delayed tells no more than one that was stalled.
  for (const Sample& one : samples)
    if (one.beside.all() >= kBesideCommunication)
      fit.add(one.beside, std::clamp(1 - alone / static_cast<double>(one.duration), -1.0, 1.0), alone);
}

bool is_kernel(const RunGraph& run, OperationId id) {
  return run.kind(id) == OperationKind::kCompute && run.graph().duration(id) > 0;
}

using Fits = std::unordered_map<uint64_t, SpeedLossFit>;  // by kernel

// The loss of all kernels together; none, if they do not clearly lose anything. If the kernels are not the same beside
// communication for another reason, some gain what others lose.
std::optional<SpeedLoss> loss_of_all(const Fits& fits) {
  SpeedLossFit all;
  for (const auto& [kernel, fit] : fits) all.add(fit);
  if (all.weight() <= 0) return std::nullopt;
  const SpeedLoss loss = all.loss();
  double scatter = 0;
  for (const auto& [kernel, fit] : fits)
    if (fit.weight() > 0) scatter += std::pow(fit.weight() * fit.more_than(loss), 2);
  const double error = std::sqrt(scatter) / all.weight();
  const double average = all.average(loss);
  return average < kLeastContention || average < kClearContention * error ? std::nullopt : std::optional(loss);
}

CommunicationPieces measured_pieces(const RunGraph& run, size_t rank) {
  CommunicationPieces pieces;
  const Schedule<Nanoseconds>& measured = run.measured();
  run.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
    if (operation.kind == OperationKind::kComm)
      pieces.add(measured[id].start, measured[id].end - run.graph().duration(id), measured[id].end);
  });
  pieces.sort();
  return pieces;
}

// A kernel never gains by communication beside it.
float rate_for(double loss) { return std::clamp(static_cast<float>(1 - loss), 0.1F, 1.0F); }

}  // namespace

Contention::Contention(const RunGraph& run) {
  if (run.rank_count() < kNoDevice && find_rates(run)) measure(run);
}

Contention::Kernel Contention::kernel_of(const RunGraph& run, size_t rank, const OperationLabel& operation) {
  return (uint64_t{run.name_of(rank, operation)} << 24) | (uint64_t{operation.work} << 8) |
         static_cast<uint64_t>(operation.phase);
}

bool Contention::find_rates(const RunGraph& run) {
  const Schedule<Nanoseconds>& measured = run.measured();
  std::vector<CommunicationPieces> pieces;
  for (size_t rank = 0; rank < run.rank_count(); ++rank) pieces.push_back(measured_pieces(run, rank));
  const auto samples_of = [&](size_t rank) {
    Samples samples;
    run.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      if (!is_kernel(run, id)) return;
      std::vector<Sample>& same = samples[kernel_of(run, rank, operation)];
      if (same.size() < kMostSamples)
        same.push_back({run.graph().duration(id), shares_of(pieces[rank], measured[id].start, measured[id].end)});
    });
    return samples;
  };
  TimesAway away(run.rank_count());
  for (size_t rank = 0; rank < run.rank_count(); ++rank)
    for (const auto& [kernel, same] : samples_of(rank)) away.add(rank, kernel, same);
  away.compare_ranks();
  Fits fits;
  for (size_t rank = 0; rank < run.rank_count(); ++rank)
    for (const auto& [kernel, same] : samples_of(rank)) add_samples(same, away.of(rank, kernel), fits[kernel]);
  // Kernels that lose or gain as much as this do other work there.
  std::erase_if(fits, [](const auto& one) { return std::abs(one.second.loss().moving) > kMostContention; });
  const std::optional<SpeedLoss> all = loss_of_all(fits);
  if (!all) return false;
  const auto is_known = [](const SpeedLoss& loss) { return loss.waiting_error <= kWellKnownContention; };
  const double waiting = is_known(*all) || all->waiting > kClearContention * all->waiting_error ? all->waiting : 0;
  rates_.push_back({rate_for(all->moving), rate_for(waiting)});
  for (const auto& [kernel, fit] : fits) {
    const SpeedLoss loss = fit.loss();
    if (loss.moving_error > kWellKnownContention || rates_.size() > UINT8_MAX) continue;
    rates_of_kernel_.emplace_back(kernel, static_cast<uint8_t>(rates_.size()));
    rates_.push_back({rate_for(loss.moving), rate_for(is_known(loss) ? loss.waiting : std::min(loss.moving, waiting))});
  }
  std::sort(rates_of_kernel_.begin(), rates_of_kernel_.end());
  return true;
}

void Contention::measure(const RunGraph& run) {
  const Schedule<Nanoseconds>& measured = run.measured();
  rates_of_.assign(run.graph().size(), 0);
  device_.assign(run.graph().size(), kNoDevice);
  extra_.assign(run.graph().size(), 0);
  for (size_t rank = 0; rank < run.rank_count(); ++rank) {
    const CommunicationPieces pieces = measured_pieces(run, rank);
    if (pieces.is_empty()) continue;
    run.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      if (operation.kind != OperationKind::kComm && !is_kernel(run, id)) return;
      device_[id] = static_cast<uint16_t>(rank);
      if (operation.kind == OperationKind::kComm) return;
      const std::pair<Kernel, uint8_t> wanted(kernel_of(run, rank, operation), 0);
      const auto known = std::lower_bound(rates_of_kernel_.begin(), rates_of_kernel_.end(), wanted);
      if (known != rates_of_kernel_.end() && known->first == wanted.first) rates_of_[id] = known->second;
      const BesideShares beside = shares_of(pieces, measured[id].start, measured[id].end);
      const double loss = beside.moving * (1 - rates(id).moving) + beside.waiting * (1 - rates(id).waiting);
      const double extra = std::round(loss * static_cast<double>(run.graph().duration(id)));
      extra_[id] = static_cast<int32_t>(std::min<double>(INT32_MAX, extra));
    });
  }
}

}  // namespace tauprof
