#include "import/device_work.h"

#include "import/decimal.h"

namespace tauprof::kineto {
namespace {

log::ActivityKind activity_of(Category category) {
  switch (category) {
    case Category::kKernel:
      return log::ActivityKind::kKernel;
    case Category::kMemcpy:
      return log::ActivityKind::kMemcpy;
    case Category::kMemset:
      return log::ActivityKind::kMemset;
    case Category::kSynchronization:
      return log::ActivityKind::kSynchronization;
    default:
      return log::ActivityKind::kUnknown;
  }
}

// A trace shows a device as a process and its streams as threads, which tell both if the arguments do not.
int64_t device_of(const Event& event) {
  if (event.args.device.is_set) return event.args.device.value;
  if (event.args.in_device.is_set) return event.args.in_device.value;
  return integer(event.pid).value_or(0);
}

int64_t stream_of(const Event& event) {
  return event.args.stream.is_set ? event.args.stream.value : integer(event.tid).value_or(0);
}

void set_copy(const Event& event, log::DeviceActivity& record) {
  record.copy_kind = static_cast<int64_t>(copy_kind_of(event.name));
  record.host_memory = static_cast<int64_t>(host_memory_of(event.name));
  const EventArgs& args = event.args;
  if (!args.from_device.is_set || !args.to_device.is_set) return;
  record.peer_device = record.device == args.from_device.value ? args.to_device.value : args.from_device.value;
}

void set_shape(const EventArgs& args, log::DeviceActivity& record) {
  record.grid_x = args.grid[0];
  record.grid_y = args.grid[1];
  record.grid_z = args.grid[2];
  record.block_x = args.block[0];
  record.block_y = args.block[1];
  record.block_z = args.block[2];
  record.shared_memory = args.shared_memory.value;
  record.registers = args.registers.value;
}

}  // namespace

log::CopyKind copy_kind_of(std::string_view name) {
  struct Kind {
    std::string_view letters;
    log::CopyKind kind;
  };
  // NVIDIA's, AMD's, and Intel's, which tells pageable memory (M) from pinned (H).
  constexpr Kind kKinds[] = {{"HtoD", log::CopyKind::kHostToDevice},
                             {"DtoH", log::CopyKind::kDeviceToHost},
                             {"DtoD", log::CopyKind::kDeviceToDevice},
                             {"PtoP", log::CopyKind::kPeerToPeer},
                             {"HtoH", log::CopyKind::kHostToHost},
                             {"HostToDevice", log::CopyKind::kHostToDevice},
                             {"DeviceToHost", log::CopyKind::kDeviceToHost},
                             {"DeviceToDevice", log::CopyKind::kDeviceToDevice},
                             {"H2D", log::CopyKind::kHostToDevice},
                             {"M2D", log::CopyKind::kHostToDevice},
                             {"D2H", log::CopyKind::kDeviceToHost},
                             {"D2M", log::CopyKind::kDeviceToHost},
                             {"D2D", log::CopyKind::kDeviceToDevice}};
  for (const Kind& kind : kKinds)
    if (name.find(kind.letters) != std::string_view::npos) return kind.kind;
  return log::CopyKind::kUnknown;
}

log::HostMemory host_memory_of(std::string_view name) {
  const auto has = [name](std::string_view word) { return name.find(word) != std::string_view::npos; };
  if (has("Pageable") || has("M2D") || has("D2M")) return log::HostMemory::kPageable;
  return has("Pinned") ? log::HostMemory::kPinned : log::HostMemory::kUnknown;
}

log::DeviceActivity device_work_of(const Event& event, int64_t name) {
  const EventArgs& args = event.args;
  log::DeviceActivity record;
  record.activity = static_cast<int64_t>(activity_of(event.category));
  record.device = device_of(event);
  record.context = args.context.value;
  record.stream = stream_of(event);
  record.name = name;
  record.start = event.start_ns.value;
  record.duration = event.duration_ns.value;
  record.correlation = args.correlation.value;
  record.bytes = args.bytes.value;
  record.graph = args.graph.value;
  record.graph_node = args.graph_node.value;
  if (event.category == Category::kMemcpy) set_copy(event, record);
  if (event.category == Category::kKernel) set_shape(args, record);
  return record;
}

}  // namespace tauprof::kineto
