#include "capture/device/activity_rows.h"

#include <string.h>

#include "capture/rows/log_text.h"

namespace tauprof::capture {
namespace {

namespace records = cupti_records;

constexpr uint64_t kLongestWaitNs = 1'000'000'000;

template <class Record>
const Record& as(const uint8_t* bytes) {
  return *reinterpret_cast<const Record*>(bytes);
}

// CUpti_ActivityMemcpyKind; arrays lie on the device.
log::CopyKind copy_kind(uint8_t kind) {
  static constexpr log::CopyKind kKinds[] = {
      log::CopyKind::kUnknown,        log::CopyKind::kHostToDevice,   log::CopyKind::kDeviceToHost,
      log::CopyKind::kHostToDevice,   log::CopyKind::kDeviceToHost,   log::CopyKind::kDeviceToDevice,
      log::CopyKind::kDeviceToDevice, log::CopyKind::kDeviceToDevice, log::CopyKind::kDeviceToDevice,
      log::CopyKind::kHostToHost,     log::CopyKind::kPeerToPeer};
  return kind < sizeof kKinds ? kKinds[kind] : log::CopyKind::kUnknown;
}

// As PyTorch's traces call them; the analyzer knows these names.
const char* synchronization_name(uint32_t type) {
  static constexpr const char* kNames[] = {"Sync", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};
  return kNames[type < 5 ? type : 0];
}

// The fields that records of all device work have.
template <class Record>
log::DeviceActivity begun(log::ActivityKind kind, const Record& record) {
  log::DeviceActivity row{};
  row.activity = static_cast<int64_t>(kind);
  row.device = record.device;
  row.context = record.context;
  row.stream = record.stream;
  row.start = static_cast<int64_t>(record.start);
  row.duration = static_cast<int64_t>(record.end - record.start);
  row.graph = record.graph;
  return row;
}

log::DeviceActivity kernel_row(log::Writer& writer, const records::Kernel& record) {
  log::DeviceActivity row = begun(log::ActivityKind::kKernel, record);
  if (record.name != nullptr) row.name = intern(writer, record.name);
  row.graph_node = static_cast<int64_t>(record.graph_node);
  row.grid_x = record.grid[0];
  row.grid_y = record.grid[1];
  row.grid_z = record.grid[2];
  row.block_x = record.block[0];
  row.block_y = record.block[1];
  row.block_z = record.block[2];
  row.shared_memory = int64_t{record.static_shared_memory} + record.dynamic_shared_memory;
  row.registers = record.registers;
  return row;
}

template <class Record>
log::DeviceActivity copy_row(const Record& record) {
  log::DeviceActivity row = begun(log::ActivityKind::kMemcpy, record);
  row.bytes = static_cast<int64_t>(record.bytes);
  row.copy_kind = static_cast<int64_t>(copy_kind(record.copy_kind));
  row.graph_node = static_cast<int64_t>(record.graph_node);
  return row;
}

log::DeviceActivity memset_row(const records::Memset& record) {
  log::DeviceActivity row = begun(log::ActivityKind::kMemset, record);
  row.bytes = static_cast<int64_t>(record.bytes);
  row.graph_node = static_cast<int64_t>(record.graph_node);
  return row;
}

log::DeviceActivity synchronization_row(log::Writer& writer, const records::Synchronization& record, uint32_t device) {
  log::DeviceActivity row{};
  row.activity = static_cast<int64_t>(log::ActivityKind::kSynchronization);
  row.device = device;
  row.context = record.context;
  row.stream = record.stream == records::kNoStream ? 0 : record.stream;
  row.name = intern(writer, synchronization_name(record.type));
  row.start = static_cast<int64_t>(record.start);
  row.duration = static_cast<int64_t>(record.end - record.start);
  return row;
}

}  // namespace

// Three quarters for the launches and calls, the rest for rows that wait.
void ActivityRows::begin(void* memory, size_t bytes) {
  auto* at = static_cast<uint8_t*>(memory);
  const size_t known = bytes / 4 * 3 & ~size_t{4095};
  launches_.begin(at, known);
  waiting_ = reinterpret_cast<Waiting*>(at + known);
  most_waiting_ = static_cast<uint32_t>((bytes - known) / sizeof(Waiting));
}

void ActivityRows::take_buffer(const CuptiLibrary& cupti, log::Writer& writer, uint8_t* bytes, size_t valid,
                               bool first) {
  cupti_ = &cupti;
  CUpti_Activity* record = nullptr;
  while (cupti.cuptiActivityGetNextRecord(bytes, valid, &record) == CUPTI_SUCCESS) {
    const auto* at = reinterpret_cast<const uint8_t*>(record);
    const uint32_t kind = as<uint32_t>(at);
    if (kind == records::kRuntime || kind == records::kDriver) {
      if (first) launches_.add_launch(as<records::ApiCall>(at));
    } else if (kind == records::kContext) {
      if (first) note_context(as<records::Context>(at).context, as<records::Context>(at).device);
    } else if (!first) {
      take_record(writer, at);
    }
  }
}

// False: the record is none of device work. Its launch has CUPTI's number `correlation`.
bool ActivityRows::make_row(log::Writer& writer, const uint8_t* record, log::DeviceActivity& row,
                            uint32_t& correlation) {
  switch (as<uint32_t>(record)) {
    case records::kConcurrentKernel:
      row = kernel_row(writer, as<records::Kernel>(record));
      correlation = as<records::Kernel>(record).correlation;
      break;
    case records::kMemcpy:
      row = copy_row(as<records::Memcpy>(record));
      correlation = as<records::Memcpy>(record).correlation;
      break;
    case records::kPeerMemcpy:
      row = copy_row(as<records::PeerMemcpy>(record));
      row.copy_kind = static_cast<int64_t>(log::CopyKind::kPeerToPeer);
      row.peer_device = as<records::PeerMemcpy>(record).destination_device;
      correlation = as<records::PeerMemcpy>(record).correlation;
      break;
    case records::kMemset:
      row = memset_row(as<records::Memset>(record));
      correlation = as<records::Memset>(record).correlation;
      break;
    case records::kGraphTrace:
      row = begun(log::ActivityKind::kGraph, as<records::GraphTrace>(record));
      correlation = as<records::GraphTrace>(record).correlation;
      break;
    default:
      return false;
  }
  return true;
}

void ActivityRows::take_record(log::Writer& writer, const uint8_t* record) {
  if (as<uint32_t>(record) == records::kSynchronization)
    return take_synchronization(writer, as<records::Synchronization>(record));
  log::DeviceActivity row;
  uint32_t correlation;
  if (!make_row(writer, record, row, correlation)) return;
  if (row.start == 0) {
    ++unfinished_;
    return;
  }
  note_context(static_cast<uint32_t>(row.context), static_cast<uint32_t>(row.device));
  add(writer, row, {correlation, 0, 0});
}

// No work: its call is told where it is known, and not waited for.
void ActivityRows::take_synchronization(log::Writer& writer, const records::Synchronization& record) {
  uint32_t device;
  if (record.start == 0 || !find_device(record.context, device)) return;
  log::DeviceActivity row = synchronization_row(writer, record, device);
  if (write_if_known(writer, row, {record.correlation, 0, 0})) return;
  row.correlation = record.correlation;
  writer.append(row);
}

void ActivityRows::add_timed(log::Writer& writer, const log::DeviceActivity& row, uint32_t thread_id, uint64_t time) {
  log::DeviceActivity copy = row;
  add(writer, copy, {0, thread_id, time});
}

void ActivityRows::add(log::Writer& writer, log::DeviceActivity& row, const Launch& launch) {
  if (write_if_known(writer, row, launch)) return;
  const Waiting waiting{row, launch, now_};
  if (waiting_count_ == most_waiting_) return write_unlinked(writer, waiting);
  waiting_[waiting_count_++] = waiting;
}

CallIndex::Answer ActivityRows::call_of(const Launch& launch, uint64_t& number) {
  return launch.correlation != 0 ? launches_.call_of(launch.correlation, number)
                                 : launches_.call_at(launch.thread_id, launch.time, number);
}

// In none of our calls, while nothing was recorded: device records are switched on ahead of the window.
bool ActivityRows::is_launched_outside(const Launch& launch) const {
  const uint64_t time = launch.correlation != 0 ? launches_.launched_at(launch.correlation) : launch.time;
  return is_outside_ != nullptr && time != 0 && is_outside_(time);
}

bool ActivityRows::write_if_known(log::Writer& writer, log::DeviceActivity& row, const Launch& launch) {
  uint64_t number = 0;
  const CallIndex::Answer answer = call_of(launch, number);
  if (answer == CallIndex::Answer::kNotYet) return false;
  if (answer == CallIndex::Answer::kNone && is_launched_outside(launch)) return true;
  if (answer == CallIndex::Answer::kNone) write_call_of_others(writer, launch.correlation, row);
  row.correlation = static_cast<int64_t>(answer == CallIndex::Answer::kFound ? number : launch.correlation);
  writer.append(row);
  return true;
}

// Launched by a library that calls the driver itself, such as Triton's launcher, or a runtime that is linked
// statically: there is no hook in between, but CUPTI tells what our row of the call would.
void ActivityRows::write_call_of_others(log::Writer& writer, uint32_t correlation, const log::DeviceActivity& work) {
  const LaunchCalls::Launch* launch = thread_number_ != nullptr ? launches_.take_outside(correlation) : nullptr;
  if (launch == nullptr) return;
  const char* function = nullptr;
  const auto domain = launch->is_driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
  if (cupti_->cuptiGetCallbackName(domain, launch->function, &function) != CUPTI_SUCCESS || function == nullptr) return;
  log::Call row{};
  row.thread = thread_number_(launch->thread_id);
  if (row.thread == 0) return;
  const char* version = strstr(function, "_v");  // "cudaLaunchKernel_v7000"
  row.function =
      writer.intern(function, version != nullptr ? static_cast<size_t>(version - function) : strlen(function));
  row.start = static_cast<int64_t>(launch->start);
  row.duration = launch->length_ns;
  row.correlation = correlation;
  row.device = work.device;
  writer.append(row);
}

void ActivityRows::write_unlinked(log::Writer& writer, const Waiting& waiting) {
  log::DeviceActivity row = waiting.row;
  row.correlation = waiting.launch.correlation;
  writer.append(row);
  if (waiting.launch.correlation == 0) return;
  // The nodes of one graph launch come together and share a link.
  if (unlinked_count_ > 0 && unlinked_[unlinked_count_ - 1] == waiting.launch.correlation) return;
  if (unlinked_count_ == kMostUnlinked) {  // the older half will hardly find a call any more
    unlinked_count_ /= 2;
    memmove(unlinked_, unlinked_ + unlinked_count_, unlinked_count_ * sizeof *unlinked_);
  }
  unlinked_[unlinked_count_++] = waiting.launch.correlation;
}

void ActivityRows::settle(log::Writer& writer, bool is_last) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < waiting_count_; ++i) {
    Waiting& waiting = waiting_[i];
    if (write_if_known(writer, waiting.row, waiting.launch)) continue;
    if (!is_last && waiting.since + kLongestWaitNs >= now_)
      waiting_[kept++] = waiting;
    else if (is_outside_ == nullptr)
      write_unlinked(writer, waiting);
  }
  waiting_count_ = kept;
  settle_links(writer);
}

void ActivityRows::settle_links(log::Writer& writer) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < unlinked_count_; ++i) {
    uint64_t number = 0;
    const CallIndex::Answer answer = launches_.call_of(unlinked_[i], number);
    if (answer == CallIndex::Answer::kFound)
      writer.append(log::Link{unlinked_[i], static_cast<int64_t>(number)});
    else if (answer == CallIndex::Answer::kNotYet)
      unlinked_[kept++] = unlinked_[i];
  }
  unlinked_count_ = kept;
}

uint64_t ActivityRows::take_unfinished() {
  const uint64_t unfinished = unfinished_;
  unfinished_ = 0;
  return unfinished;
}

bool ActivityRows::find_device(uint32_t context, uint32_t& device) const {
  for (const Context& known : contexts_) {
    if (known.context != context || context == 0) continue;
    device = known.device;
    return true;
  }
  return false;
}

uint32_t ActivityRows::context_of(uint32_t device) const {
  for (const Context& known : contexts_)
    if (known.context != 0 && known.device == device) return known.context;
  return 0;
}

void ActivityRows::note_context(uint32_t context, uint32_t device) {
  for (Context& known : contexts_) {
    if (known.context == context) return;
    if (known.context != 0) continue;
    known = {context, device};
    return;
  }
}

}  // namespace tauprof::capture
