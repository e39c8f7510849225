#include "phases/call_order.h"

#include <algorithm>
#include <utility>

namespace tauprof {

std::vector<uint32_t> outermost_calls_in_order(const ProcessTrace& trace) {
  return outermost_calls_in_order(trace, launches_work);
}

std::vector<uint32_t> outermost_calls_in_order(const ProcessTrace& trace, bool (*counts)(CallClass)) {
  std::vector<uint32_t> order;
  order.reserve(trace.calls.size());
  std::vector<std::ptrdiff_t> runs{0};  // of each thread, in order
  const auto before = [&](uint32_t a, uint32_t b) { return trace.calls[a].start < trace.calls[b].start; };
  for (size_t thread = 0; thread + 1 < trace.first_call.size(); ++thread) {
    const auto first = trace.calls.begin() + trace.first_call[thread],
               last = trace.calls.begin() + trace.first_call[thread + 1];
    if (std::none_of(first, last, [counts](const HostCall& call) { return counts(call.call_class); })) continue;
    for (uint32_t i = trace.first_call[thread]; i < trace.first_call[thread + 1]; ++i)
      if (trace.calls[i].outer == kNoIndex) order.push_back(i);
    runs.push_back(static_cast<std::ptrdiff_t>(order.size()));
  }
  while (runs.size() > 2) {
    std::vector<std::ptrdiff_t> merged{0};
    for (size_t i = 0; i + 1 < runs.size(); i += 2) {
      const size_t end = std::min(i + 2, runs.size() - 1);
      std::inplace_merge(order.begin() + runs[i], order.begin() + runs[i + 1], order.begin() + runs[end], before);
      merged.push_back(runs[end]);
    }
    runs = std::move(merged);
  }
  return order;
}

}  // namespace tauprof
