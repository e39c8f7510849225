#include "replay/spans_of_calls.h"

namespace tauprof {

SpansOfCalls::SpansOfCalls(const ProcessTrace& trace) : first_(trace.calls.size() + 1) {
  const auto outermost = [&](uint32_t call) {
    while (trace.calls[call].outer != kNoIndex) call = trace.calls[call].outer;
    return call;
  };
  const auto for_each = [&](auto&& take) {
    for (uint32_t device = 0; device < trace.devices.size(); ++device) {
      const std::vector<DeviceSpan>& spans = trace.devices[device].spans;
      for (uint32_t i = 0; i < spans.size(); ++i)
        if (spans[i].call != kNoIndex && spans[i].span_class != SpanClass::kNotWork)
          take(outermost(spans[i].call), Work{device, i});
    }
  };
  for_each([&](uint32_t call, Work) { ++first_[call + 1]; });
  for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  work_.resize(first_.back());
  std::vector<uint32_t> next(first_.begin(), first_.end());
  for_each([&](uint32_t call, Work work) { work_[next[call]++] = work; });
}

}  // namespace tauprof
