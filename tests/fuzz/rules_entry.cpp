// Feeds arbitrary bytes to the reader of rules for phases, and phases by those rules to a small job (`tauprof analyze
// --rules FILE`).
#include <stdlib.h>

#include <cstdint>
#include <string_view>

#include "phases/assign_phases.h"
#include "phases/host_time.h"
#include "phases/phase_rules.h"
#include "steps/host_steps.h"

namespace tauprof {
namespace {

ProcessTrace small_job() {
  ProcessTrace trace;
  trace.threads = {{}, {1, trace.names.add("python"), true}, {2, trace.names.add("pt_autograd_0"), false}};
  const NameId launch = trace.names.add("cudaLaunchKernel"), copy = trace.names.add("cudaMemcpyAsync");
  const NameId forward = trace.names.add("forward");
  trace.first_call = {0, 0, 60, 90};
  for (uint32_t i = 0; i < 90; ++i) {
    HostCall call;
    call.thread = i < 60 ? 1 : 2;
    call.start = 1000 * i;
    call.end = call.start + 500;
    call.is_input_copy = i % 10 == 0;
    call.function = call.is_input_copy ? copy : launch;
    call.call_class = call.is_input_copy ? CallClass::kCopy : CallClass::kKernel;
    trace.calls.push_back(call);
    if (i % 10 == 3)
      trace.ranges.push_back({call.start, call.end, forward, kNoName, 1, log::RangeSource::kNvtx, false});
  }
  trace.devices.emplace_back();
  trace.devices[0].streams.emplace_back();
  return trace;
}

}  // namespace
}  // namespace tauprof

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tauprof::PhaseRules rules;
  const tauprof::Status status =
      tauprof::PhaseRules::read({reinterpret_cast<const char*>(data), size}, "fuzz.rules", rules);
  if (!status.is_ok()) {
    if (status.message().empty()) abort();
    return 0;
  }
  tauprof::ProcessTrace trace = tauprof::small_job();
  tauprof::find_host_steps(trace);
  tauprof::assign_phases(trace, rules);
  host_time_by_phase(trace, rules);
  return 0;
}
