#include "replay/device_nodes.h"

#include <algorithm>
#include <bit>

#include "metrics/collectives/collective_units.h"
#include "metrics/efficiency/product_kinds.h"

namespace tauprof {
namespace {

OperationKind kind_of(SpanClass span_class) {
  switch (span_class) {
    case SpanClass::kCompute:
      return OperationKind::kCompute;
    case SpanClass::kComm:
      return OperationKind::kComm;
    case SpanClass::kCopy:
      return OperationKind::kCopy;
    default:
      return OperationKind::kOtherWork;
  }
}

// Tells apart, as far as is recorded, kernels of one name that do different work: by the size of the grid, the shape of
// the product, and the kernel before it in its stream.
uint16_t work_of(const ProcessTrace& trace, const DeviceSpan& span, NameId before) {
  constexpr uint32_t kSpread = 2'654'435'761U;
  const GemmWork* const gemm = span.call == kNoIndex ? nullptr : trace.gemm_of(span.call);
  uint32_t hash = std::bit_cast<uint32_t>(span.threads) * kSpread;
  hash = (hash ^ (gemm == nullptr ? 0 : gemm->kind + 1)) * kSpread;
  hash = (hash ^ static_cast<uint32_t>(before)) * kSpread;
  return static_cast<uint16_t>(hash >> 16);
}

}  // namespace

DeviceNodes add_device_operations(const ProcessTrace& trace, ProcessOperations& process) {
  DeviceNodes nodes;
  ProductKinds products(trace, process.products);
  for (const DeviceTrace& device : trace.devices) {
    process.device_names.push_back(device.name);
    const auto device_index = static_cast<uint8_t>(nodes.of_span.size());
    const CollectiveUnits units = collective_units(trace, device);
    std::vector<NameId> before(device.streams.size(), kNoName);  // by stream: the kernel before
    std::vector<uint32_t> of_unit(units.units.size(), kNoIndex);
    std::vector<uint32_t>& of_span = nodes.of_span.emplace_back(device.spans.size(), kNoIndex);
    for (uint32_t i = 0; i < device.spans.size(); ++i) {
      const DeviceSpan& span = device.spans[i];
      if (span.span_class == SpanClass::kNotWork) continue;
      const uint32_t unit = units.unit_of_span[i];
      if (unit != kNoIndex && of_unit[unit] != kNoIndex) {
        of_span[i] = of_unit[unit];
        continue;
      }
      OperationLabel operation;
      operation.name = span.name;
      operation.step = span.call == kNoIndex ? kNoStep : trace.calls[span.call].step;
      operation.collective = unit;
      operation.kind = kind_of(span.span_class);
      if (operation.kind == OperationKind::kCompute) {
        operation.work = work_of(trace, span, before[span.stream]);
        before[span.stream] = span.name;
      }
      operation.device = device_index;
      operation.phase = span.phase;
      operation.copy_kind = span.copy_kind;
      operation.product = products.number_of(span);
      of_span[i] = static_cast<uint32_t>(process.operations.size());
      if (unit != kNoIndex) of_unit[unit] = of_span[i];
      process.operations.push_back(operation);
      process.times.push_back({span.start, unit == kNoIndex ? span.end : units.units[unit].end});
      nodes.span.push_back(i);
    }
  }
  return nodes;
}

}  // namespace tauprof
