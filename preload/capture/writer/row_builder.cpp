#include "capture/writer/row_builder.h"

#include "capture/device/device_activity.h"
#include "capture/device/device_facts.h"
#include "capture/rows/log_text.h"
#include "capture/rows/text_table.h"
#include "capture/telemetry/telemetry.h"

namespace tauprof::capture {
namespace {

// The fields that the three kinds of host calls share.
template <class Row>
Row host_row(const RingPool::Slot& thread, const RareFactsUnit* rare, const ClockUnit* clock, StackRows& stacks) {
  Row row{};
  row.thread = thread.number;
  if (clock != nullptr) row.end_cpu_ns = static_cast<int64_t>(clock->end_cpu_ns);
  if (rare != nullptr) {
    row.result = rare->result;
    row.thread_cpu_ns = static_cast<int64_t>(rare->thread_cpu_ns);
    row.stack = stacks.id_of(rare->stack[0] | rare->stack[1] << 8 | rare->stack[2] << 16);
  }
  return row;
}

}  // namespace

RowBuilder::Extensions RowBuilder::find_extensions(const Unit* record) {
  Extensions found;
  for (unsigned i = 1; i < record->header.units; ++i) {
    const Unit& unit = record[i];
    switch (unit.rare.tag) {
      case ExtensionTag::kRareFacts:
        found.rare = &unit.rare;
        break;
      case ExtensionTag::kShape:
        found.shape = &unit.shape;
        break;
      case ExtensionTag::kCollective:
        found.collective = &unit.collective;
        break;
      case ExtensionTag::kCallback:
        found.correlation = unit.callback.correlation;
        break;
      case ExtensionTag::kPhases:
        found.phases = &unit.phases;
        break;
      case ExtensionTag::kClock:
        found.clock = &unit.clock;
        break;
      case ExtensionTag::kNone:
        break;
    }
  }
  return found;
}

RowBuilder::Times RowBuilder::times_of(const UnitHeader& header, const RareFactsUnit* rare) const {
  const uint64_t ticks = rare != nullptr ? rare->duration : header.duration;
  const uint64_t start = scale_.to_ns(header.start), end = scale_.to_ns(header.start + ticks);
  return {static_cast<int64_t>(start), static_cast<int64_t>(end - start)};
}

void RowBuilder::take(const RingPool::Slot& thread, const Unit* record) {
  const UnitHeader& header = record->header;
  const Extensions extensions = find_extensions(record);
  const Times times = times_of(header, extensions.rare);
  if (header.function == kDroppedUnit) return take_dropped_time(thread, header);
  last_end_ = static_cast<uint64_t>(times.start + times.duration);
  if (extensions.phases != nullptr) return take_phases(header, *extensions.phases);
  ++records_;
  if (header.function >= kRangeUnit) return take_range(thread, header, times);
  const HookInfo& info = kHookInfos[header.function];
  const uint64_t number = next_number_++;
  if (info.may_launch)
    device_activity.take_call({number, static_cast<uint64_t>(times.start),
                               static_cast<uint64_t>(times.start + times.duration), thread.os_id, header.function,
                               extensions.correlation});
  if (extensions.collective != nullptr) return take_collective(thread, header, extensions, times);
  if (info.record == HookRecord::kGemm) return take_gemm(thread, header, extensions, times);
  take_call(thread, header, extensions, times);
  if (info.memory != 0 && extensions.rare != nullptr && extensions.rare->result == 0)
    take_memory(thread, header, extensions.rare->address, times);
}

// Work that was launched then belongs to a call that has been dropped and counted.
void RowBuilder::take_dropped_time(const RingPool::Slot& thread, const UnitHeader& header) {
  last_end_ = scale_.to_ns(header.payload);
  device_activity.take_call({kDroppedCall, scale_.to_ns(header.start), last_end_, thread.os_id, 0, 0});
}

void RowBuilder::take_call(const RingPool::Slot& thread, const UnitHeader& header, const Extensions& extensions,
                           Times times) {
  auto row = host_row<log::Call>(thread, extensions.rare, extensions.clock, stacks_);
  row.function = function_text(header.function);
  row.start = times.start;
  row.duration = times.duration;
  row.correlation = static_cast<int64_t>(next_number_ - 1);
  row.device = header.device;
  row.stream = static_cast<int64_t>(header.stream);
  switch (kHookInfos[header.function].payload) {
    case PayloadKind::kBytes:
      row.bytes = static_cast<int64_t>(header.payload & ((uint64_t{1} << kCopyKindShift) - 1));
      row.argument = static_cast<int64_t>(header.payload >> kCopyKindShift);
      break;
    case PayloadKind::kObject:
      row.object = static_cast<int64_t>(header.payload);
      break;
    case PayloadKind::kGraph:
      row.object = static_cast<int64_t>(header.payload & ((uint64_t{1} << kGraphShift) - 1));
      row.graph = static_cast<int64_t>(header.payload >> kGraphShift);
      break;
    case PayloadKind::kArgument:
      row.argument = static_cast<int64_t>(header.payload);
      break;
    default:
      break;
  }
  writer_.append(row);
  if (row.result == 0) describe_device(header.device);
  step_marker_.take_call(writer_, thread.number, function_name(header.function), times.start);
}

void RowBuilder::describe_devices(uint64_t devices) {
  for (uint8_t device = 0; devices != 0; ++device, devices >>= 1)
    if ((devices & 1) != 0) describe_device(device);
}

void RowBuilder::describe_device(uint8_t device) {
  if (is_described_[device] || device_activity.is_lent()) return;
  is_described_[device] = true;
  DeviceUuid uuid;
  if (write_device_facts(writer_, device, uuid)) telemetry.watch(device, uuid.text);
}

void RowBuilder::take_memory(const RingPool::Slot& thread, const UnitHeader& header, uint64_t address, Times times) {
  const HookInfo& info = kHookInfos[header.function];
  log::Memory row{};
  row.time = times.start;
  row.thread = thread.number;
  row.device = header.device;
  row.action = info.memory;
  row.address = static_cast<int64_t>(address);
  if (info.payload == PayloadKind::kBytes) row.bytes = static_cast<int64_t>(header.payload);
  row.stream = static_cast<int64_t>(header.stream);
  writer_.append(row);
}

void RowBuilder::take_gemm(const RingPool::Slot& thread, const UnitHeader& header, const Extensions& extensions,
                           Times times) {
  auto row = host_row<log::Gemm>(thread, extensions.rare, extensions.clock, stacks_);
  row.function = function_text(header.function);
  row.start = times.start;
  row.duration = times.duration;
  row.correlation = static_cast<int64_t>(next_number_ - 1);
  row.stream = static_cast<int64_t>(header.stream);
  row.batch = static_cast<int64_t>(header.payload);
  if (const ShapeUnit* shape = extensions.shape; shape != nullptr) {
    row.m = static_cast<int64_t>(shape->m);
    row.n = static_cast<int64_t>(shape->n);
    (shape->shapes_differ != 0 ? row.products : row.k) = static_cast<int64_t>(shape->k);
    row.type_a = shape->type_a;
    row.type_b = shape->type_b;
    row.type_c = shape->type_c;
    row.type_compute = shape->type_compute;
    row.transpose = shape->transpose;
    row.form = shape->form;
  }
  writer_.append(row);
}

void RowBuilder::take_collective(const RingPool::Slot& thread, const UnitHeader& header, const Extensions& extensions,
                                 Times times) {
  const CollectiveUnit& facts = *extensions.collective;
  auto row = host_row<log::Collective>(thread, extensions.rare, extensions.clock, stacks_);
  row.function = function_text(header.function);
  row.start = times.start;
  row.duration = times.duration;
  row.correlation = static_cast<int64_t>(next_number_ - 1);
  row.communicator = facts.communicator;
  row.sequence = static_cast<int64_t>(facts.sequence);
  row.operation = facts.operation;
  row.datatype = facts.datatype;
  row.count = static_cast<int64_t>(header.payload);
  row.peer = facts.peer;
  row.reduction = facts.reduction;
  row.stream = static_cast<int64_t>(header.stream);
  row.group = static_cast<int64_t>(facts.group);
  row.graph = facts.graph;
  writer_.append(row);
  step_marker_.take_call(writer_, thread.number, function_name(header.function), times.start);
}

void RowBuilder::take_phases(const UnitHeader& header, const PhasesUnit& facts) {
  log::ChannelPhases row{};
  row.communicator = facts.communicator;
  row.sequence = static_cast<int64_t>(header.stream);
  row.channel = facts.channel;
  row.timer = static_cast<int64_t>(header.payload);
  row.opening = static_cast<int64_t>(facts.phases[0]);
  row.work = static_cast<int64_t>(facts.phases[1]);
  row.closing = static_cast<int64_t>(facts.phases[2]);
  writer_.append(row);
}

void RowBuilder::take_range(const RingPool::Slot& thread, const UnitHeader& header, Times times) {
  if (header.function == kStepUnit) {
    log::RecorderStep row{};
    row.time = times.start;
    row.step = static_cast<int64_t>(header.stream >> 32);
    writer_.append(row);
    return;
  }
  const auto name_number = static_cast<uint32_t>(header.stream);
  const int64_t name = range_text(name_number);
  const int64_t domain = range_text(static_cast<uint32_t>(header.payload));
  const auto object = static_cast<int64_t>(header.stream >> 32);
  const auto source = header.function == kProcessRangeUnit ? log::RangeSource::kNvtxProcess
                                                           : static_cast<log::RangeSource>(header.payload >> 32);
  if (header.function == kMarkUnit) {
    log::Mark row{};
    row.thread = thread.number;
    row.name = name;
    row.source = static_cast<int64_t>(source);
    row.domain = domain;
    row.time = times.start;
    row.payload = object;
    writer_.append(row);
  } else {
    log::Range row{};
    row.thread = thread.number;
    row.name = name;
    row.source = static_cast<int64_t>(source);
    row.domain = domain;
    row.start = times.start;
    row.duration = times.duration;
    row.payload = object;
    writer_.append(row);
  }
  if (source == log::RangeSource::kFramework) return;
  if (const TextTable::Text* text = text_table.text(name_number))
    step_marker_.take_range(writer_, thread.number, text->bytes, text->size, times.start);
}

int64_t RowBuilder::function_text(uint16_t function) {
  int64_t& text = function_texts_[function % kMostFunctions];
  if (text == 0) text = intern(writer_, function_name(function));
  return text;
}

int64_t RowBuilder::range_text(uint32_t number) {
  const TextTable::Text* text = text_table.text(number);
  return text != nullptr ? writer_.intern(text->bytes, text->size) : 0;
}

}  // namespace tauprof::capture
