// Estimates from a run how much slower its kernels are beside communication, and what that cost each of them.
#include <cmath>
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

// What a kernel's times on one rank tell. Nothing if it is not the same work each time.
void add_samples(const std::vector<Sample>& samples, SpeedLossFit& fit) {
  std::vector<Nanoseconds> away;
  size_t beside = 0;
  for (const Sample& one : samples) {
    if (one.beside.all() <= kAwayFromCommunication) away.push_back(one.duration);
    beside += one.beside.all() >= kBesideCommunication;
  }
  if (away.size() < kFewKernels || beside < kFewKernels) return;
  std::sort(away.begin(), away.end());
  const auto alone = static_cast<double>(away[away.size() / 2]);
  const auto spread = static_cast<double>(away[away.size() * 3 / 4] - away[away.size() / 4]);
  if (spread > kSameWork * alone) return;
  // A kernel that something else held up tells no more than one that stood still.
  for (const Sample& one : samples)
    if (one.beside.all() >= kBesideCommunication)
      fit.add(one.beside, std::clamp(1 - alone / static_cast<double>(one.duration), -1.0, 1.0), alone);
}

bool is_kernel(const RunGraph& run, OperationId id) {
  return run.kind(id) == OperationKind::kCompute && run.graph().duration(id) > 0;
}

using Fits = std::unordered_map<uint64_t, SpeedLossFit>;  // by kernel

// What all kernels together lose. Its error is at least what the kernels differ by: if they are not the same beside
// communication for another reason, some gain what others lose.
SpeedLoss loss_of_all(const Fits& fits) {
  SpeedLossFit all;
  for (const auto& [kernel, fit] : fits) all.add(fit);
  SpeedLoss loss = all.loss();
  double scatter = 0;
  for (const auto& [kernel, fit] : fits) scatter += std::pow(fit.weight() * (fit.loss().moving - loss.moving), 2);
  if (all.weight() > 0) loss.moving_error = std::max(loss.moving_error, std::sqrt(scatter) / all.weight());
  return loss;
}

CommunicationPieces measured_pieces(const RunGraph& run, size_t rank) {
  CommunicationPieces pieces;
  const Schedule<Nanoseconds>& measured = run.measured();
  run.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
    if (operation.kind == OperationKind::kComm)
      pieces.add(measured.start[id], measured.end[id] - run.graph().duration(id), measured.end[id]);
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
  Fits fits;
  for (size_t rank = 0; rank < run.rank_count(); ++rank) {
    const CommunicationPieces pieces = measured_pieces(run, rank);
    if (pieces.is_empty()) continue;
    std::unordered_map<Kernel, std::vector<Sample>> samples;
    run.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      if (!is_kernel(run, id)) return;
      std::vector<Sample>& same = samples[kernel_of(run, rank, operation)];
      if (same.size() < kMostSamples)
        same.push_back({run.graph().duration(id), shares_of(pieces, measured.start[id], measured.end[id])});
    });
    for (const auto& [kernel, same] : samples) add_samples(same, fits[kernel]);
  }
  // What loses or gains as much as this does other work there.
  std::erase_if(fits, [](const auto& one) { return std::abs(one.second.loss().moving) > kMostContention; });
  const SpeedLoss all = loss_of_all(fits);
  if (all.moving < kLeastContention || all.moving < kClearContention * all.moving_error) return false;
  const auto is_told = [](const SpeedLoss& loss) { return loss.waiting_error <= kWellKnownContention; };
  const double waiting = is_told(all) || all.waiting > kClearContention * all.waiting_error ? all.waiting : 0;
  rates_.push_back({rate_for(all.moving), rate_for(waiting)});
  for (const auto& [kernel, fit] : fits) {
    const SpeedLoss own = fit.loss();
    if (own.moving_error > kWellKnownContention || rates_.size() > UINT8_MAX) continue;
    rates_of_kernel_.emplace_back(kernel, static_cast<uint8_t>(rates_.size()));
    rates_.push_back({rate_for(own.moving), rate_for(is_told(own) ? own.waiting : std::min(own.moving, waiting))});
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
      const auto own = std::lower_bound(rates_of_kernel_.begin(), rates_of_kernel_.end(), wanted);
      if (own != rates_of_kernel_.end() && own->first == wanted.first) rates_of_[id] = own->second;
      const BesideShares beside = shares_of(pieces, measured.start[id], measured.end[id]);
      const double loss = beside.moving * (1 - rates(id).moving) + beside.waiting * (1 - rates(id).waiting);
      const double extra = std::round(loss * static_cast<double>(run.graph().duration(id)));
      extra_[id] = static_cast<int32_t>(std::min<double>(INT32_MAX, extra));
    });
  }
}

}  // namespace tauprof
