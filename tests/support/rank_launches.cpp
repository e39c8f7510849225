// The part of RankHost that hands work to the device.
#include <algorithm>

#include "rank_host.h"

namespace tauprof::generator {
namespace {

using log::ActivityKind;
using log::DataType;

constexpr int64_t kShortestSpanNs = 100;

std::string_view launch_function(Action action) {
  switch (action) {
    case Action::kGraph:
      return "cudaGraphLaunch";
    case Action::kMemset:
      return "cudaMemsetAsync";
    case Action::kCopy:
      return "cudaMemcpyAsync";
    default:
      return "cudaLaunchKernel";
  }
}

void classify(Action action, DeviceSpan& span) {
  switch (action) {
    case Action::kGraph:
      span.activity = ActivityKind::kGraph;
      span.span_class = SpanClass::kUnclassified;
      break;
    case Action::kFusedKernel:
      span.span_class = SpanClass::kFused;
      break;
    case Action::kMemset:
    case Action::kOrphan:
      span.activity = ActivityKind::kMemset;
      span.span_class = SpanClass::kCopy;
      break;
    case Action::kCopy:
    case Action::kBlockingCopy:
      span.activity = ActivityKind::kMemcpy;
      span.span_class = SpanClass::kCopy;
      break;
    case Action::kCollective:
      span.span_class = SpanClass::kCommunication;
      break;
    default:
      break;
  }
}

}  // namespace

QueuedOp RankHost::queued_span(const HostOp& op, int64_t launched) {
  QueuedOp queued;
  queued.ready = launched + 2'000 + random_.below(4'000);
  queued.pause = random_.below(1'200);
  queued.duration = std::max(kShortestSpanNs, random_.around(op.ns, spec_.jitter_permille));
  queued.span.name = op.name;
  queued.span.stream = op.stream;
  queued.span.bytes = op.bytes;
  queued.span.copy_kind = op.copy_kind;
  classify(op.action, queued.span);
  return queued;
}

// Library calls launch with their own correlation ids; a link leads back to the call.
void RankHost::enqueue(const HostOp& op, const HostCall& call, bool is_inside_library) {
  QueuedOp queued = queued_span(op, call.start);
  queued.span.launch = call.correlation;
  queued.span.correlation = is_inside_library ? ++correlation_ : call.correlation;
  device_.push(op.stream, queued);
}

void RankHost::launch(const HostOp& op) {
  HostCall call = start_call(op, launch_function(op.action), CallRole::kLaunch);
  call.stream = op.stream;
  call.bytes = op.bytes;
  call.copy_kind = op.copy_kind;
  enqueue(op, call, false);
  work(call_duration());
  end_call(call, now_);
}

void RankHost::launch_orphan(const HostOp& op) {
  QueuedOp queued = queued_span(op, now_);
  queued.span.correlation = ++correlation_;
  device_.push(op.stream, queued);
}

void RankHost::gemm(const HostOp& op) {
  HostCall call = start_call(op, "cublasGemmEx", CallRole::kLaunch);
  call.stream = op.stream;
  call.datatype = DataType::kBfloat16;
  constexpr int64_t kWidth = 4096, kTokens = 1024;
  const bool is_of_weight = op.product == LayerProduct::kWeightGradient;
  call.m = kWidth;
  call.n = is_of_weight ? kWidth : kTokens;
  call.k = is_of_weight ? kTokens : kWidth;
  call.transpose = op.product == LayerProduct::kForward ? 1 : is_of_weight ? 2 : 0;
  enqueue(op, call, true);
  work(2 * call_duration());
  end_call(call, now_);
}

}  // namespace tauprof::generator
