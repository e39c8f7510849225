#include "classify/span_classes.h"

#include <algorithm>
#include <vector>

#include "classify/kernel_rules.h"

namespace tauprof {
namespace {

SpanClass class_of_kernel(const DeviceSpan& span, KernelKind kind, const ProcessTrace& trace) {
  if (span.collective != kNoIndex || kind == KernelKind::kCommunication) return SpanClass::kComm;
  if (kind == KernelKind::kFused) return SpanClass::kFused;
  const bool is_gemm = span.call != kNoIndex && trace.calls[span.call].call_class == CallClass::kGemm;
  if (is_gemm) return SpanClass::kCompute;
  if (kind == KernelKind::kSuspect) return SpanClass::kUnclassified;
  if (span.call == kNoIndex && kind == KernelKind::kUnknown) return SpanClass::kUnclassified;
  return SpanClass::kCompute;
}

// A graph as a whole is computation only if it is known to hold nothing else.
template <class KindOf>
SpanClass class_of_graph(const DeviceSpan& span, const ProcessTrace& trace, KindOf&& kind_of) {
  const GraphContents* const graph = span.call != kNoIndex ? trace.graph_of(span.call) : nullptr;
  if (graph == nullptr || !graph->is_complete || graph->copies != 0) return SpanClass::kUnclassified;
  const bool computes = std::all_of(graph->kernels.begin(), graph->kernels.end(), [&](NameId name) {
    const KernelKind kind = kind_of(name);
    return kind == KernelKind::kCompute || kind == KernelKind::kUnknown;
  });
  return computes ? SpanClass::kCompute : SpanClass::kUnclassified;
}

}  // namespace

void classify_spans(ProcessTrace& trace) {
  constexpr int kNotAsked = -1;
  std::vector<int> kinds(trace.names.size(), kNotAsked);
  const auto kind_of = [&](NameId name) {
    if (kinds[name] == kNotAsked) kinds[name] = static_cast<int>(kernel_kind_of(trace.names[name]));
    return static_cast<KernelKind>(kinds[name]);
  };
  for (DeviceTrace& device : trace.devices)
    for (DeviceSpan& span : device.spans) switch (span.activity) {
        case log::ActivityKind::kKernel:
          span.span_class = class_of_kernel(span, kind_of(span.name), trace);
          break;
        case log::ActivityKind::kMemcpy:  // a copy may carry out a collective, with the copy engines
          span.span_class = span.collective != kNoIndex ? SpanClass::kComm : SpanClass::kCopy;
          break;
        case log::ActivityKind::kMemset:
          span.span_class = SpanClass::kCopy;
          break;
        case log::ActivityKind::kSynchronization:
          span.span_class = SpanClass::kNotWork;
          break;
        case log::ActivityKind::kGraph:
          span.span_class = class_of_graph(span, trace, kind_of);
          break;
        default:
          span.span_class = SpanClass::kUnclassified;
          break;
      }
}

}  // namespace tauprof
