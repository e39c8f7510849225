#include "capture/rows/row_builder.h"

#include "capture/device/device_activity.h"
#include "capture/device/device_facts.h"
#include "capture/rows/log_text.h"
#include "capture/rows/text_table.h"

namespace tauprof::capture {
namespace {

// What the three kinds of host calls have in common.
template <class Row>
Row host_row(const RingPool::Slot& thread, const RestUnit* rest, StackRows& stacks) {
  Row row{};
  row.thread = thread.number;
  if (rest != nullptr) {
    row.result = rest->result;
    row.thread_cpu_ns = static_cast<int64_t>(rest->thread_cpu_ns);
    row.stack = stacks.id_of(rest->stack[0] | rest->stack[1] << 8 | rest->stack[2] << 16);
  }
  return row;
}

}  // namespace

RowBuilder::Extensions RowBuilder::find_extensions(const Unit* record) {
  Extensions found;
  for (unsigned i = 1; i < record->head.units; ++i) {
    const Unit& unit = record[i];
    switch (unit.rest.tag) {
      case ExtensionTag::kRest:
        found.rest = &unit.rest;
        break;
      case ExtensionTag::kShape:
        found.shape = &unit.shape;
        break;
      case ExtensionTag::kCollective:
        found.collective = &unit.collective;
        break;
      case ExtensionTag::kNone:
        break;
    }
  }
  return found;
}

RowBuilder::Times RowBuilder::times_of(const UnitHead& head, const RestUnit* rest) const {
  const uint64_t ticks = rest != nullptr ? rest->duration : head.duration;
  const uint64_t start = scale_.to_ns(head.start), end = scale_.to_ns(head.start + ticks);
  return {static_cast<int64_t>(start), static_cast<int64_t>(end - start)};
}

void RowBuilder::take(const RingPool::Slot& thread, const Unit* record) {
  const UnitHead& head = record->head;
  const Extensions extensions = find_extensions(record);
  const Times times = times_of(head, extensions.rest);
  ++records_;
  last_end_ = static_cast<uint64_t>(times.start + times.duration);
  if (head.function >= kRangeUnit) return take_range(thread, head, times);
  const HookInfo& info = kHookInfos[head.function];
  const uint64_t number = next_number_++;
  if (info.may_launch)
    device_activity.take_call({number, static_cast<uint64_t>(times.start),
                               static_cast<uint64_t>(times.start + times.duration), thread.os_id, head.function});
  if (extensions.collective != nullptr) return take_collective(thread, head, extensions, times);
  if (info.record == HookRecord::kGemm) return take_gemm(thread, head, extensions, times);
  take_call(thread, head, extensions, times);
  if (info.memory != 0 && extensions.rest != nullptr && extensions.rest->result == 0)
    take_memory(thread, head, extensions.rest->address, times);
}

void RowBuilder::take_call(const RingPool::Slot& thread, const UnitHead& head, const Extensions& extensions,
                           Times times) {
  auto row = host_row<log::Call>(thread, extensions.rest, stacks_);
  row.function = function_text(head.function);
  row.start = times.start;
  row.duration = times.duration;
  row.correlation = static_cast<int64_t>(next_number_ - 1);
  row.device = head.device;
  row.stream = static_cast<int64_t>(head.stream);
  switch (kHookInfos[head.function].payload) {
    case PayloadKind::kBytes:
      row.bytes = static_cast<int64_t>(head.payload & ((uint64_t{1} << kCopyKindShift) - 1));
      row.argument = static_cast<int64_t>(head.payload >> kCopyKindShift);
      break;
    case PayloadKind::kObject:
      row.object = static_cast<int64_t>(head.payload);
      break;
    case PayloadKind::kArgument:
      row.argument = static_cast<int64_t>(head.payload);
      break;
    default:
      break;
  }
  writer_.append(row);
  if (row.result == 0) describe_device(head.device);
  step_marker_.take_call(writer_, thread.number, function_name(head.function), times.start);
}

// Once a call on it has succeeded, the driver is up, and asking starts nothing.
void RowBuilder::describe_device(uint8_t device) {
  if (is_described_[device]) return;
  is_described_[device] = true;
  write_device_facts(writer_, device);
}

void RowBuilder::take_memory(const RingPool::Slot& thread, const UnitHead& head, uint64_t address, Times times) {
  const HookInfo& info = kHookInfos[head.function];
  log::Memory row{};
  row.time = times.start;
  row.thread = thread.number;
  row.device = head.device;
  row.action = info.memory;
  row.address = static_cast<int64_t>(address);
  if (info.payload == PayloadKind::kBytes) row.bytes = static_cast<int64_t>(head.payload);
  row.stream = static_cast<int64_t>(head.stream);
  writer_.append(row);
}

void RowBuilder::take_gemm(const RingPool::Slot& thread, const UnitHead& head, const Extensions& extensions,
                           Times times) {
  auto row = host_row<log::Gemm>(thread, extensions.rest, stacks_);
  row.function = function_text(head.function);
  row.start = times.start;
  row.duration = times.duration;
  row.correlation = static_cast<int64_t>(next_number_ - 1);
  row.stream = static_cast<int64_t>(head.stream);
  row.batch = static_cast<int64_t>(head.payload);
  if (const ShapeUnit* shape = extensions.shape; shape != nullptr) {
    row.m = static_cast<int64_t>(shape->m);
    row.n = static_cast<int64_t>(shape->n);
    row.k = static_cast<int64_t>(shape->k);
    row.type_a = shape->type_a;
    row.type_b = shape->type_b;
    row.type_c = shape->type_c;
    row.type_compute = shape->type_compute;
    row.transpose = shape->transpose;
  }
  writer_.append(row);
}

void RowBuilder::take_collective(const RingPool::Slot& thread, const UnitHead& head, const Extensions& extensions,
                                 Times times) {
  const CollectiveUnit& facts = *extensions.collective;
  auto row = host_row<log::Collective>(thread, extensions.rest, stacks_);
  row.function = function_text(head.function);
  row.start = times.start;
  row.duration = times.duration;
  row.correlation = static_cast<int64_t>(next_number_ - 1);
  row.communicator = facts.communicator;
  row.sequence = static_cast<int64_t>(facts.sequence);
  row.operation = facts.operation;
  row.datatype = facts.datatype;
  row.count = static_cast<int64_t>(head.payload);
  row.peer = facts.peer;
  row.reduction = facts.reduction;
  row.stream = static_cast<int64_t>(head.stream);
  row.group = static_cast<int64_t>(facts.group);
  row.graph = facts.graph;
  writer_.append(row);
  step_marker_.take_call(writer_, thread.number, function_name(head.function), times.start);
}

void RowBuilder::take_range(const RingPool::Slot& thread, const UnitHead& head, Times times) {
  const int64_t name = range_text(static_cast<uint32_t>(head.stream));
  const int64_t domain = range_text(static_cast<uint32_t>(head.payload));
  if (head.function == kMarkUnit) {
    log::Mark row{};
    row.thread = thread.number;
    row.name = name;
    row.source = static_cast<int64_t>(log::RangeSource::kNvtx);
    row.domain = domain;
    row.time = times.start;
    writer_.append(row);
  } else {
    log::Range row{};
    row.thread = thread.number;
    row.name = name;
    row.source =
        static_cast<int64_t>(head.function == kRangeUnit ? log::RangeSource::kNvtx : log::RangeSource::kNvtxProcess);
    row.domain = domain;
    row.start = times.start;
    row.duration = times.duration;
    writer_.append(row);
  }
  if (const TextTable::Text* text = text_table.text(static_cast<uint32_t>(head.stream)))
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
