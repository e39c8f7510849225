#include "simgpu/nccl/profiler.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include "simgpu/nccl/debug_log.h"
#include "simgpu/nccl/kernel_events.h"
#include "simgpu/nccl/launch.h"
#include "simgpu/nccl/profiler_events.h"
#include "simgpu/nccl/registrations.h"

namespace simgpu::nccl {
namespace {

constexpr int kOldestInterface = 5, kFirstWithPhases = 7, kNewestInterface = 7;

const ProfilerPlugin* plugin;  // null: none
int wanted_events = 0;         // of all communicators
bool has_phases = false;       // the interface that the plugin speaks tells of them
thread_local void* group_event = nullptr;
thread_local bool has_group = false;  // an event was started, or not wanted

void no_log() {}

const ProfilerPlugin* load() {
  const char* const chosen = std::getenv("NCCL_PROFILER_PLUGIN");
  const std::string name = chosen && *chosen ? chosen : "libnccl-profiler.so";
  if (name == "none") return nullptr;
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library && chosen) library = dlopen(("libnccl-profiler-" + name + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return nullptr;
  for (int version = kNewestInterface; version >= kOldestInterface; --version) {
    const std::string symbol = "ncclProfiler_v" + std::to_string(version);
    const auto* const found = static_cast<const ProfilerPlugin*>(dlsym(library, symbol.c_str()));
    if (!found) continue;
    log_info("PROFILER/Plugin: Loaded %s (v%d)", found->name, version);
    has_phases = version >= kFirstWithPhases;
    return found;
  }
  log_info("External profiler plugin %s is unsupported", name.c_str());
  return nullptr;
}

const char* datatype_name(ncclDataType_t type) {
  static constexpr const char* kNames[] = {"ncclInt8",    "ncclUint8",    "ncclInt32",      "ncclUint32",
                                           "ncclInt64",   "ncclUint64",   "ncclFloat16",    "ncclFloat32",
                                           "ncclFloat64", "ncclBfloat16", "ncclFloat8e4m3", "ncclFloat8e5m2"};
  return static_cast<unsigned>(type) < std::size(kNames) ? kNames[type] : "Unknown";
}

void start(const Communicator& communicator, void** handle, ProfilerDescriptor& what) {
  plugin->start(communicator.profiler_context, handle, &what);
}

void start_group(const Communicator& communicator, bool is_captured, int depth) {
  if (has_group) return;
  has_group = true;
  if (!wanted_events) return;
  ProfilerDescriptor what{};
  what.type = kGroupApi;
  what.group_api = {is_captured, depth};
  start(communicator, &group_event, what);
  if (group_event) plugin->record(group_event, kGroupStartStopped, nullptr);
}

}  // namespace

void profile_communicator(Communicator& communicator) {
  static std::once_flag once;
  std::call_once(once, [] { plugin = load(); });
  if (!plugin) return;
  const ncclResult_t result = plugin->init(&communicator.profiler_context, communicator.number, &wanted_events, nullptr,
                                           1, communicator.ranks, communicator.rank, no_log);
  if (has_phases && (wanted_events & kKernelPhase)) wanted_events |= kKernelChannel;
  if (result == ncclSuccess) return log_info("Profiler event mask 0x%x", static_cast<unsigned>(wanted_events));
  log_info("Profiler init failed. Continue without profiler.");
  plugin = nullptr;
}

void profile_end(Communicator& communicator) {
  wait_for_kernel_events(communicator);
  if (plugin && communicator.profiler_context) plugin->finalize(communicator.profiler_context);
  communicator.profiler_context = nullptr;
}

void profile_call(const Communicator& communicator, Message& message, cudaStream_t stream, bool is_captured,
                  int depth) {
  if (!plugin) return;
  start_group(communicator, is_captured, depth);
  const bool is_message = is_point_to_point(message.function);
  ProfilerDescriptor what{};
  what.type = is_message ? kP2pApi : kCollApi;
  what.parent = group_event;
  const int of_calls = is_message ? kP2p | kP2pApi | kKernelChannel : kColl | kCollApi | kKernelLaunch | kKernelChannel;
  if (!(wanted_events & of_calls)) return;
  if (is_message)
    what.p2p_api = {function_name(message.function), message.count, datatype_name(message.type), stream, is_captured};
  else
    what.coll_api = {function_name(message.function),     message.count, datatype_name(message.type),
                     message.peer < 0 ? 0 : message.peer, stream,        is_captured};
  void* handle = nullptr;
  start(communicator, &handle, what);
  if (handle) plugin->stop(handle);
  if (is_captured) return;  // the events of launches are not simulated
  message.task = std::make_shared<ProfiledTask>();
  message.task->call = handle;
  if (wanted_events & kKernelChannel) message.task->plugin_of_kernel = plugin;
}

void profile_group_end() {
  if (plugin && group_event) plugin->record(group_event, kGroupEndStarted, nullptr);
}

// Captured operations would have their events when the graph is launched; that is not simulated.
void profile_launched(const Communicator& communicator, const std::vector<Message>& messages,
                      const std::vector<StreamRef>& streams) {
  if (!plugin || messages.empty() || is_capturing(streams.front())) return;
  for (const Message& message : messages) {
    const bool is_message = is_point_to_point(message.function);
    if (!message.task || !(wanted_events & ((is_message ? kP2p : kColl) | kKernelChannel))) continue;
    ProfiledTask& task = *message.task;
    task.channels = channels_of(communicator, messages);
    task.is_symmetric = are_symmetric(communicator, messages);
    task.is_for_small = is_small(message, communicator.ranks);
    ProfilerDescriptor what{};
    what.type = is_message ? kP2p : kColl;
    what.parent = task.call;
    what.rank = communicator.rank;
    if (is_message)
      what.p2p = {function_name(message.function),
                  nullptr,
                  datatype_name(message.type),
                  message.count,
                  message.peer,
                  1,
                  nullptr};
    else
      what.coll = {0,
                   function_name(message.function),
                   message.send_buffer,
                   message.receive_buffer,
                   message.count,
                   message.peer,
                   datatype_name(message.type),
                   static_cast<std::uint8_t>(task.channels),
                   1,
                   task.is_symmetric ? "RSxLD_AGxST" : "RING",
                   task.is_symmetric ? "" : "SIMPLE",
                   nullptr};
    start(communicator, &task.task, what);
    if (task.task) plugin->stop(task.task);
    task.tells_phases = task.is_symmetric && has_phases && (wanted_events & kKernelPhase) != 0;
    task.has_launched = true;
  }
}

void profile_group_done() {
  if (plugin && group_event) plugin->stop(group_event);
  group_event = nullptr;
  has_group = false;
}

}  // namespace simgpu::nccl
