#include "phases/call_order.h"

#include <algorithm>

namespace tauprof {

std::vector<uint32_t> outermost_calls_in_order(const ProcessTrace& trace) {
  std::vector<uint32_t> order;
  order.reserve(trace.calls.size());
  const auto before = [&](uint32_t a, uint32_t b) { return trace.calls[a].start < trace.calls[b].start; };
  for (size_t thread = 0; thread + 1 < trace.first_call.size(); ++thread) {
    const auto first = trace.calls.begin() + trace.first_call[thread],
               last = trace.calls.begin() + trace.first_call[thread + 1];
    if (std::none_of(first, last, [](const HostCall& call) { return launches_work(call.call_class); })) continue;
    const auto middle = static_cast<std::ptrdiff_t>(order.size());
    for (uint32_t i = trace.first_call[thread]; i < trace.first_call[thread + 1]; ++i)
      if (trace.calls[i].outer == kNoIndex) order.push_back(i);
    std::inplace_merge(order.begin(), order.begin() + middle, order.end(), before);
  }
  return order;
}

}  // namespace tauprof
