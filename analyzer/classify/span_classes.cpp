#include "classify/span_classes.h"

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
        default:
          span.span_class = SpanClass::kUnclassified;
          break;
      }
}

}  // namespace tauprof
