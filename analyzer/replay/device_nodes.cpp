#include "replay/device_nodes.h"

#include <algorithm>

#include "metrics/collectives/collective_units.h"

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

}  // namespace

DeviceNodes add_device_operations(const ProcessTrace& trace, ProcessOperations& process) {
  DeviceNodes nodes;
  for (const DeviceTrace& device : trace.devices) {
    const auto device_index = static_cast<uint8_t>(nodes.of_span.size());
    const CollectiveUnits units = collective_units(trace, device);
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
      operation.device = device_index;
      operation.kind = kind_of(span.span_class);
      operation.phase = span.phase;
      operation.copy_kind = span.copy_kind;
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
