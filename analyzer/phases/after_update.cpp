#include "phases/after_update.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

bool is_collective(const HostCall& call) {
  return call.call_class == CallClass::kCollective || call.call_class == CallClass::kGroupEnd;
}

class Checkpoints {
 public:
  Checkpoints(const ProcessTrace& trace, const LaunchedWork& work, std::span<const uint32_t> calls,
              std::vector<StepPart>& parts)
      : trace_(trace), work_(work), calls_(calls), parts_(parts) {}

  void find() {
    for (size_t at = 0; at < calls_.size(); ++at) {
      const HostCall& call = trace_.calls[calls_[at]];
      if (!is_after_pass(at) || call.is_input_copy)
        end_run();
      else if (call.call_class == CallClass::kKernel || call.call_class == CallClass::kGemm)
        add_kernel();
      else if (work_.copies_back(calls_[at]))
        add_copy(at);
    }
    end_run();
  }

 private:
  bool is_after_pass(size_t at) const {
    return parts_[calls_[at]] == StepPart::kAfterLastPass || parts_[calls_[at]] == StepPart::kExtra;
  }

  // 0: unknown
  static bool is_few(int64_t bytes) { return bytes > 0 && bytes <= kResultBytes; }

  void add_kernel() {
    if (++kernels_ > kGatherKernels) end_run();
  }

  void add_copy(size_t at) {
    if (copies_ == 0 && is_few(work_.copied_bytes[calls_[at]])) return;
    if (copies_ == 0) first_ = where_gathered(at);
    ++copies_;
    last_ = at;
    kernels_ = 0;
  }

  // Includes the collectives right before the copy, which gathered what it copies.
  size_t where_gathered(size_t copy) const {
    size_t first = copy;
    for (size_t at = copy; at-- > 0 && is_after_pass(at);) {
      const HostCall& call = trace_.calls[calls_[at]];
      if (is_collective(call))
        first = at;
      else if (launches_work(call.call_class))
        break;
    }
    return first;
  }

  // Includes what waits for the last copy.
  void end_run() {
    if (copies_ > kMostResults)
      for (size_t at = first_; at < calls_.size() && is_after_pass(at); ++at) {
        if (at > last_ && launches_work(trace_.calls[calls_[at]].call_class)) break;
        parts_[calls_[at]] = StepPart::kCheckpoint;
      }
    copies_ = kernels_ = 0;
  }

  const ProcessTrace& trace_;
  const LaunchedWork& work_;
  const std::span<const uint32_t> calls_;
  std::vector<StepPart>& parts_;
  size_t first_ = 0, last_ = 0;   // the run's first and last call
  int copies_ = 0, kernels_ = 0;  // copies in the run; kernels after its last copy
};

class Results {
 public:
  Results(const ProcessTrace& trace, const LaunchedWork& work, std::span<const uint32_t> calls,
          std::vector<StepPart>& parts)
      : trace_(trace), work_(work), calls_(calls), parts_(parts) {}

  void find() {
    size_t at = first_collective();
    if (at == calls_.size()) return;
    while (at > 0 && prepares(at - 1)) --at;
    for (; at < calls_.size() && !trace_.calls[calls_[at]].is_input_copy; ++at)
      if (is_after_pass(at)) parts_[calls_[at]] = StepPart::kResult;
  }

 private:
  bool is_after_pass(size_t at) const { return parts_[calls_[at]] == StepPart::kAfterLastPass; }

  // The first collective of few numbers after the last one of many. The end: there is none, or there are too many.
  size_t first_collective() const {
    size_t first = calls_.size();
    int collectives = 0;
    for (size_t at = 0; at < calls_.size(); ++at) {
      const HostCall& call = trace_.calls[calls_[at]];
      if (call.call_class != CallClass::kCollective || !is_after_pass(at)) continue;
      const bool is_small =
          call.collective != kNoIndex && trace_.collectives[call.collective].count <= kGatheredNumbers;
      first = is_small ? std::min(first, at) : calls_.size();
      ++collectives;
    }
    return collectives <= kMostResults ? first : calls_.size();
  }

  // What is gathered may be copied first.
  bool prepares(size_t at) const {
    const HostCall& call = trace_.calls[calls_[at]];
    const bool copies = work_.copy[calls_[at]] != log::CopyKind::kUnknown && !call.is_input_copy;
    return is_after_pass(at) && (copies || !launches_work(call.call_class));
  }

  const ProcessTrace& trace_;
  const LaunchedWork& work_;
  const std::span<const uint32_t> calls_;
  std::vector<StepPart>& parts_;
};

}  // namespace

void find_checkpoints(const ProcessTrace& trace, const LaunchedWork& work, std::span<const uint32_t> calls,
                      std::vector<StepPart>& parts) {
  Checkpoints(trace, work, calls, parts).find();
}

void find_results(const ProcessTrace& trace, const LaunchedWork& work, std::span<const uint32_t> calls,
                  std::vector<StepPart>& parts) {
  Results(trace, work, calls, parts).find();
}

}  // namespace tauprof
