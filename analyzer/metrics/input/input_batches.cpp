#include "metrics/input/input_batches.h"

#include "phases/call_order.h"

namespace tauprof {

std::vector<uint32_t> input_batches(const ProcessTrace& trace, const DeviceTrace& device) {
  std::vector<uint32_t> batches(trace.steps.size(), 0);
  bool is_in_batch = false;
  int32_t step = kNoStep;
  for (const uint32_t index : outermost_calls_in_order(trace)) {
    const HostCall& call = trace.calls[index];
    if (!launches_work(call.call_class) || call.device != device.device) continue;
    if (call.step != step) is_in_batch = false;  // weights that were copied before the first step
    step = call.step;
    const bool is_own = call.step != kNoStep && call.start < trace.steps[call.step].extra_start;
    const bool is_input = call.is_input_copy && brings_input(call.phase);
    if (is_input && !is_in_batch && is_own) ++batches[call.step];
    const bool is_copy = call.call_class == CallClass::kCopy || call.call_class == CallClass::kBlockingCopy;
    if (is_input)
      is_in_batch = true;
    else if (!is_copy)
      is_in_batch = false;
  }
  return batches;
}

}  // namespace tauprof
