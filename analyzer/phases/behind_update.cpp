#include "phases/behind_update.h"

#include <algorithm>

namespace tauprof {
namespace {

// A loss, some metrics and their counts; a model has more parameters.
constexpr int kMostResults = 16;
// A few numbers. The weights that a checkpoint begins with are more.
constexpr int64_t kResultBytes = 64;
// What a rank says of a batch: some numbers for each sample. Shards of weights are more.
constexpr int64_t kGatheredNumbers = 16'384;
// Putting together what was gathered: splits, a copy, a cast. A pass over the model launches more.
constexpr int kGatherKernels = 4;

bool is_collective(const HostCall& call) {
  return call.call_class == CallClass::kCollective || call.call_class == CallClass::kGroupEnd;
}

class Checkpoints {
 public:
  Checkpoints(const ProcessTrace& trace, const LaunchedWork& work, std::span<const uint32_t> calls,
              std::vector<RulePlace>& places)
      : trace_(trace), work_(work), calls_(calls), places_(places) {}

  void find() {
    for (size_t at = 0; at < calls_.size(); ++at) {
      const HostCall& call = trace_.calls[calls_[at]];
      if (!is_behind(at) || call.is_input_copy)
        end_run();
      else if (call.call_class == CallClass::kKernel || call.call_class == CallClass::kGemm)
        add_kernel();
      else if (work_.copies_back(calls_[at]))
        add_copy(at);
    }
    end_run();
  }

 private:
  bool is_behind(size_t at) const {
    return places_[calls_[at]] == RulePlace::kBehind || places_[calls_[at]] == RulePlace::kExtra;
  }

  // 0: not known
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

  // From the collectives on that brought what this call copies, if there are some right before it.
  size_t where_gathered(size_t copy) const {
    size_t first = copy;
    for (size_t at = copy; at-- > 0 && is_behind(at);) {
      const HostCall& call = trace_.calls[calls_[at]];
      if (is_collective(call))
        first = at;
      else if (launches_work(call.call_class))
        break;
    }
    return first;
  }

  // With what waits for the last copy.
  void end_run() {
    if (copies_ > kMostResults)
      for (size_t at = first_; at < calls_.size() && is_behind(at); ++at) {
        if (at > last_ && launches_work(trace_.calls[calls_[at]].call_class)) break;
        places_[calls_[at]] = RulePlace::kSave;
      }
    copies_ = kernels_ = 0;
  }

  const ProcessTrace& trace_;
  const LaunchedWork& work_;
  const std::span<const uint32_t> calls_;
  std::vector<RulePlace>& places_;
  size_t first_ = 0, last_ = 0;   // of the run of copies
  int copies_ = 0, kernels_ = 0;  // in it; behind its last copy
};

class Results {
 public:
  Results(const ProcessTrace& trace, const LaunchedWork& work, std::span<const uint32_t> calls,
          std::vector<RulePlace>& places)
      : trace_(trace), work_(work), calls_(calls), places_(places) {}

  void find() {
    size_t at = first_collective();
    if (at == calls_.size()) return;
    while (at > 0 && prepares(at - 1)) --at;
    for (; at < calls_.size() && !trace_.calls[calls_[at]].is_input_copy; ++at)
      if (is_behind(at)) places_[calls_[at]] = RulePlace::kResult;
  }

 private:
  bool is_behind(size_t at) const { return places_[calls_[at]] == RulePlace::kBehind; }

  // Of few numbers, behind the last one of many; the end: there is none, or there are too many.
  size_t first_collective() const {
    size_t first = calls_.size();
    int collectives = 0;
    for (size_t at = 0; at < calls_.size(); ++at) {
      const HostCall& call = trace_.calls[calls_[at]];
      if (call.call_class != CallClass::kCollective || !is_behind(at)) continue;
      const bool is_small =
          call.collective != kNoIndex && trace_.collectives[call.collective].count <= kGatheredNumbers;
      first = is_small ? std::min(first, at) : calls_.size();
      ++collectives;
    }
    return collectives <= kMostResults ? first : calls_.size();
  }

  // What is gathered may have to be copied first.
  bool prepares(size_t at) const {
    const HostCall& call = trace_.calls[calls_[at]];
    const bool copies = work_.copy[calls_[at]] != log::CopyKind::kUnknown && !call.is_input_copy;
    return is_behind(at) && (copies || !launches_work(call.call_class));
  }

  const ProcessTrace& trace_;
  const LaunchedWork& work_;
  const std::span<const uint32_t> calls_;
  std::vector<RulePlace>& places_;
};

}  // namespace

void find_checkpoints(const ProcessTrace& trace, const LaunchedWork& work, std::span<const uint32_t> calls,
                      std::vector<RulePlace>& places) {
  Checkpoints(trace, work, calls, places).find();
}

void find_results(const ProcessTrace& trace, const LaunchedWork& work, std::span<const uint32_t> calls,
                  std::vector<RulePlace>& places) {
  Results(trace, work, calls, places).find();
}

}  // namespace tauprof
