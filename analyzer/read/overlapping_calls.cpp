#include "read/overlapping_calls.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

constexpr size_t kMostParts = 16;  // damaged times overlap without end

// A thread's calls that are under way.
class OpenCalls {
 public:
  // Whether one thread can make this call beside those that it has made.
  bool take(const HostCall& call) {
    while (!open_.empty() && open_.back()->end <= call.start + kClearlyLast && open_.back()->end < call.end)
      open_.pop_back();
    if (!open_.empty()) {
      const bool launches_while_it_waits =
          open_.back()->call_class == CallClass::kSync && launches_work(call.call_class);
      if (launches_while_it_waits || open_.back()->end < call.end) return false;
    }
    open_.push_back(&call);
    return true;
  }

 private:
  std::vector<const HostCall*> open_;
};

void sort_by_thread(ProcessTrace& trace) {
  std::vector<uint32_t> order(trace.calls.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return trace.calls[a].thread < trace.calls[b].thread; });
  const auto put_in_order = [&](auto& of_calls) {
    auto sorted = of_calls;
    for (size_t i = 0; i < order.size(); ++i) sorted[i] = of_calls[order[i]];
    of_calls = std::move(sorted);
  };
  put_in_order(trace.calls);
  if (!trace.call_order.empty()) put_in_order(trace.call_order);
  trace.first_call.assign(trace.threads.size() + 1, 0);
  for (const HostCall& call : trace.calls) ++trace.first_call[call.thread + 1u];
  std::partial_sum(trace.first_call.begin(), trace.first_call.end(), trace.first_call.begin());
}

}  // namespace

void part_overlapping_calls(ProcessTrace& trace) {
  const size_t recorded = trace.threads.size();
  for (size_t thread = 0; thread < recorded; ++thread) {
    std::vector<OpenCalls> parts(1);
    const size_t more = trace.threads.size();  // the number of the second part
    for (uint32_t i = trace.first_call[thread]; i < trace.first_call[thread + 1]; ++i) {
      HostCall& call = trace.calls[i];
      size_t part = 0;
      while (part < parts.size() && !parts[part].take(call)) ++part;
      if (part == parts.size()) {
        if (parts.size() == kMostParts || trace.threads.size() == UINT16_MAX) continue;
        parts.emplace_back().take(call);
        trace.threads.push_back(trace.threads[thread]);
        trace.threads.back().is_main = false;
      }
      if (part > 0) call.thread = static_cast<uint16_t>(more + part - 1);
    }
  }
  if (trace.threads.size() > recorded) sort_by_thread(trace);
}

}  // namespace tauprof
