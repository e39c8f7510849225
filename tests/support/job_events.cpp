// Names and numbers of phases, threads, streams and calls.
#include "job_events.h"

namespace tauprof::generator {

std::string_view phase_name(Phase phase) {
  static constexpr std::string_view kNames[] = {"other",      "dataload_wait",   "h2d",
                                                "forward",    "backward",        "unscale_clip",
                                                "optim_step", "zero_grad_sched", "sync_gather"};
  return kNames[static_cast<int>(phase)];
}

std::string thread_name(int device, int thread) {
  if (thread == kAutogradThread) return "pt_autograd_" + std::to_string(device);
  return device == 0 ? "main" : "device_" + std::to_string(device);
}

int stream_number(int stream) {
  static constexpr int kNumbers[kStreams] = {7, 13, 17, 21, 25};
  return kNumbers[stream];
}

int64_t stream_handle(int device, int stream) {
  return stream == kComputeStream ? 0 : 0x55D0'0000 + 0x10'0000 * device + 0x1000 * stream;
}

std::string_view span_class_name(SpanClass span_class) {
  static constexpr std::string_view kNames[] = {"compute", "fused", "comm", "copy", "unclassified"};
  return kNames[static_cast<int>(span_class)];
}

std::string_view call_role_name(CallRole role) {
  static constexpr std::string_view kNames[] = {"launch",      "blocking_copy", "sync",
                                                "stream_wait", "allocation",    "other"};
  return kNames[static_cast<int>(role)];
}

std::string range_text(const HostRange& range) {
  if (range.step_marker >= 0) {
    return (range.is_annotation ? "ProfilerStep#" : "step ") + std::to_string(range.step_marker);
  }
  if (!range.is_annotation) return std::string(range.name);
  switch (range.phase) {
    case Phase::kDataloadWait:
      return "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
    case Phase::kOptimStep:
      return "Optimizer.step#AdamW.step";
    case Phase::kZeroGrad:
      return "Optimizer.zero_grad#AdamW.zero_grad";
    default:
      return std::string(range.name);
  }
}

}  // namespace tauprof::generator
