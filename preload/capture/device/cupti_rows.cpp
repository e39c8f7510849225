#include "capture/device/cupti_rows.h"

#include "capture/rows/log_text.h"

namespace tauprof::capture {
namespace {

namespace records = cupti_records;

// By CUpti_ActivityMemcpyKind. Arrays are device memory.
log::CopyKind copy_kind(uint8_t kind) {
  static constexpr log::CopyKind kKinds[] = {
      log::CopyKind::kUnknown,        log::CopyKind::kHostToDevice,   log::CopyKind::kDeviceToHost,
      log::CopyKind::kHostToDevice,   log::CopyKind::kDeviceToHost,   log::CopyKind::kDeviceToDevice,
      log::CopyKind::kDeviceToDevice, log::CopyKind::kDeviceToDevice, log::CopyKind::kDeviceToDevice,
      log::CopyKind::kHostToHost,     log::CopyKind::kPeerToPeer};
  return kind < sizeof kKinds ? kKinds[kind] : log::CopyKind::kUnknown;
}

// By CUpti_ActivityMemoryKind. Only the host's memory is of either kind.
log::HostMemory host_memory(uint8_t source, uint8_t destination) {
  constexpr uint8_t kPageable = 1, kPinned = 2;
  if (source == kPageable || destination == kPageable) return log::HostMemory::kPageable;
  return source == kPinned || destination == kPinned ? log::HostMemory::kPinned : log::HostMemory::kUnknown;
}

// The names that PyTorch's traces use, which the analyzer knows.
const char* synchronization_name(uint32_t type) {
  static constexpr const char* kNames[] = {"Sync", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};
  return kNames[type < 5 ? type : 0];
}

// Fills in the fields that all records of device work have.
template <class Record>
log::DeviceActivity work_row(log::ActivityKind kind, const Record& record) {
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
  log::DeviceActivity row = work_row(log::ActivityKind::kKernel, record);
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
  log::DeviceActivity row = work_row(log::ActivityKind::kMemcpy, record);
  row.bytes = static_cast<int64_t>(record.bytes);
  row.copy_kind = static_cast<int64_t>(copy_kind(record.copy_kind));
  row.host_memory = static_cast<int64_t>(host_memory(record.source_kind, record.destination_kind));
  row.graph_node = static_cast<int64_t>(record.graph_node);
  return row;
}

log::DeviceActivity memset_row(const records::Memset& record) {
  log::DeviceActivity row = work_row(log::ActivityKind::kMemset, record);
  row.bytes = static_cast<int64_t>(record.bytes);
  row.graph_node = static_cast<int64_t>(record.graph_node);
  return row;
}

}  // namespace

bool is_work(uint32_t kind) {
  return kind == records::kConcurrentKernel || kind == records::kMemcpy || kind == records::kPeerMemcpy ||
         kind == records::kMemset || kind == records::kGraphTrace;
}

bool make_work_row(log::Writer& writer, const uint8_t* record, log::DeviceActivity& row, uint32_t& correlation) {
  switch (record_as<uint32_t>(record)) {
    case records::kConcurrentKernel:
      row = kernel_row(writer, record_as<records::Kernel>(record));
      correlation = record_as<records::Kernel>(record).correlation;
      break;
    case records::kMemcpy:
      row = copy_row(record_as<records::Memcpy>(record));
      correlation = record_as<records::Memcpy>(record).correlation;
      break;
    case records::kPeerMemcpy:
      row = copy_row(record_as<records::PeerMemcpy>(record));
      row.copy_kind = static_cast<int64_t>(log::CopyKind::kPeerToPeer);
      row.peer_device = record_as<records::PeerMemcpy>(record).destination_device;
      correlation = record_as<records::PeerMemcpy>(record).correlation;
      break;
    case records::kMemset:
      row = memset_row(record_as<records::Memset>(record));
      correlation = record_as<records::Memset>(record).correlation;
      break;
    case records::kGraphTrace:
      row = work_row(log::ActivityKind::kGraph, record_as<records::GraphTrace>(record));
      correlation = record_as<records::GraphTrace>(record).correlation;
      break;
    default:
      return false;
  }
  return true;
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

}  // namespace tauprof::capture
