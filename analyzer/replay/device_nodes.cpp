#include "replay/device_nodes.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <string_view>

#include "metrics/collectives/collective_units.h"
#include "metrics/efficiency/product_kinds.h"
#include "steps/step_windows.h"

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
// the product, and the kernel before it in its stream. The same work is the same number on all ranks.
class WorkNumbers {
 public:
  explicit WorkNumbers(const ProcessTrace& trace) : trace_(trace), before_(trace.names.size(), 0) {
    for (const GemmKind& kind : trace.gemm_kinds) kinds_.push_back(of_product(kind.shape));
    for (size_t i = 0; i < before_.size(); ++i) before_[i] = std::hash<std::string_view>()(trace.names[i]);
  }

  uint16_t of(const DeviceSpan& span, NameId before) const {
    const GemmWork* const gemm = span.call == kNoIndex ? nullptr : trace_.gemm_of(span.call);
    uint64_t hash = mixed(0, std::bit_cast<uint32_t>(trace_.launch_shapes[span.launch_shape].threads()));
    hash = mixed(hash, gemm == nullptr ? 0 : kinds_[gemm->kind]);
    hash = mixed(hash, before == kNoName ? 0 : before_[before]);
    return static_cast<uint16_t>(hash >> 48);
  }

 private:
  static uint64_t mixed(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x9E37'79B9'7F4A'7C15; }
  static uint64_t of_product(const GemmShape& shape) {
    uint64_t hash = mixed(1, std::bit_cast<uint64_t>(shape.flops));
    for (const int64_t size : {shape.m, shape.n, shape.k, shape.batch, int64_t{shape.transpose}})
      hash = mixed(hash, static_cast<uint64_t>(size));
    return hash;
  }

  const ProcessTrace& trace_;
  std::vector<uint64_t> before_;  // by name
  std::vector<uint64_t> kinds_;   // by kind of product
};

class WorkOfDevice {
 public:
  WorkOfDevice(const ProcessTrace& trace, uint32_t device, const std::vector<uint32_t>& of_span,
               const std::vector<Interval>& times)
      : trace_(trace), device_(trace.devices[device]), of_span_(of_span), times_(times) {}

  // kNoIndex: none.
  uint32_t starting_at(Nanoseconds time) const {
    const std::vector<DeviceSpan>& spans = device_.spans;
    auto span = std::lower_bound(spans.begin(), spans.end(), time,
                                 [](const DeviceSpan& one, Nanoseconds start) { return one.start < start; });
    for (; span != spans.end() && span->start == time; ++span)
      if (const uint32_t operation = of_span_[static_cast<size_t>(span - spans.begin())];
          operation != kNoIndex && times_[operation].start == time)
        return operation;
    return kNoIndex;
  }

  // The last of each stream that has ended by `end` and was not launched after `launched`; empty: none ends then.
  std::vector<uint32_t> last_before(Nanoseconds end, Nanoseconds launched) const {
    std::vector<uint32_t> last(device_.streams.size(), kNoIndex);
    bool ends_then = false;
    for (uint32_t i = 0; i < device_.spans.size() && device_.spans[i].start < end; ++i) {
      const DeviceSpan& span = device_.spans[i];
      if (of_span_[i] == kNoIndex || span.end > end) continue;
      if (span.call != kNoIndex && trace_.calls[span.call].start > launched) continue;
      last[span.stream] = of_span_[i];
      ends_then |= span.end == end;
    }
    std::erase(last, kNoIndex);
    return ends_then ? last : std::vector<uint32_t>();
  }

 private:
  const ProcessTrace& trace_;
  const DeviceTrace& device_;
  const std::vector<uint32_t>& of_span_;
  const std::vector<Interval>& times_;
};

}  // namespace

DeviceNodes add_device_operations(const ProcessTrace& trace, ProcessOperations& process) {
  DeviceNodes nodes;
  size_t spans = 0;
  for (const DeviceTrace& device : trace.devices) spans += device.spans.size();
  process.operations.reserve(spans);
  process.times.reserve(spans);
  ProductKinds products(trace, process.products);
  const WorkNumbers works(trace);
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
        operation.work = works.of(span, before[span.stream]);
        before[span.stream] = span.name;
      }
      operation.device = device_index;
      operation.phase = span.phase;
      operation.row = LedgerRow::kIdleDeviceLatency;
      operation.copy_kind = span.copy_kind;
      operation.is_pinned = span.host_memory == log::HostMemory::kPinned;
      operation.product = products.number_of(span);
      of_span[i] = static_cast<uint32_t>(process.operations.size());
      if (unit != kNoIndex) of_unit[unit] = of_span[i];
      process.operations.push_back(operation);
      process.times.push_back({span.start, unit == kNoIndex ? span.end : units.units[unit].end});
    }
  }
  return nodes;
}

std::vector<OperationStep> steps_of_device(const ProcessTrace& trace, uint32_t device,
                                           const std::vector<uint32_t>& of_span, const std::vector<Interval>& times,
                                           uint32_t opening) {
  const WorkOfDevice work(trace, device, of_span, times);
  std::vector<OperationStep> steps;
  for (const StepWindow& window : step_windows(trace, trace.devices[device])) {
    if (!window.device) continue;
    OperationStep step;
    step.number = trace.steps[window.host_step].number;
    step.ahead = window.ahead;
    step.behind = window.behind;
    step.first = work.starting_at(window.device->start + window.ahead);
    if (window.ahead > 0 && opening != kNoIndex && times[opening].start == window.device->start) {
      step.first = opening;
      step.ahead = 0;
    }
    const Nanoseconds end = window.device->end - window.behind;
    step.next = window.behind > 0 ? kNoIndex : work.starting_at(end);
    // What a loader launches for steps that were not recorded is not this step's.
    if (step.next == kNoIndex) step.last_works = work.last_before(end, trace.steps[window.host_step].end);
    if (step.next == kNoIndex && step.last_works.empty()) step.last_works = work.last_before(end, INT64_MAX);
    if (step.first != kNoIndex && (step.next != kNoIndex || !step.last_works.empty())) steps.push_back(step);
  }
  return steps;
}

}  // namespace tauprof
