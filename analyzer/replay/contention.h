// How much slower kernels are beside communication.
//
// NCCL's kernels occupy SMs and use the memory's bandwidth, so a kernel that runs beside them takes longer. By how much
// is estimated from the run (speed_loss.h): the same kernel — its name, its work, its phase — beside communication and
// away from it, on the same rank. Kernels that are never seen away from it have the loss of all others together. A loss
// that is not clearly above nothing is none.
//
// The work of a kernel is what it takes away from communication. Example: beside communication kernels lose 0.2 of
// their speed. A kernel of 125 µs, all of it beside, has 100 µs of work. If communication then covers only its first
// 50 µs, these do 40 µs of work; the other 60 follow at full speed, so it takes 110 µs (contended_replay.h).
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "model/time.h"
#include "replay/operation_graph.h"

namespace tauprof {

class RunGraph;
struct OperationLabel;

class Contention {
 public:
  Contention() = default;
  // Of a run whose times are measured.
  explicit Contention(const RunGraph& run);

  // Whether kernels are known to be slower beside communication.
  bool is_known() const { return !rates_.empty(); }
  // The share of their speed that all kernels together lose beside communication that moves data.
  std::optional<double> loss() const { return is_known() ? std::optional(1.0 - rates_.front().moving) : std::nullopt; }

  // The same beside communication that waits for its members; 0: none is known.
  double waiting_loss() const { return is_known() ? 1.0 - rates_.front().waiting : 0.0; }

  // The part of an operation's measured duration that is due to communication beside it.
  Nanoseconds measured(OperationId operation) const { return extra_.empty() ? 0 : extra_[operation]; }
  const std::vector<int32_t>& measured() const { return extra_; }  // by operation; empty: not known

  // A kernel's speed beside communication that moves data, and beside such that waits for its members; 1: full.
  struct Rates {
    float moving = 1;
    float waiting = 1;
  };
  static constexpr uint16_t kNoDevice = UINT16_MAX;
  // Of kernels and collectives: the rank (index) on whose device they run; kNoDevice: of others.
  uint16_t device(OperationId operation) const { return device_[operation]; }
  const Rates& rates(OperationId operation) const { return rates_[rates_of_[operation]]; }

 private:
  using Kernel = uint64_t;
  static Kernel kernel_of(const RunGraph& run, size_t rank, const OperationLabel& operation);
  bool find_rates(const RunGraph& run);
  void measure(const RunGraph& run);

  std::vector<Rates> rates_;                                 // the first: of all kernels together
  std::vector<std::pair<Kernel, uint8_t>> rates_of_kernel_;  // sorted: those with rates of their own
  std::vector<uint8_t> rates_of_;                            // by operation: index into rates_
  std::vector<uint16_t> device_;                             // by operation
  std::vector<int32_t> extra_;                               // by operation
};

}  // namespace tauprof
