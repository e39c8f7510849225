#include "simgpu/nccl/profiler.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include "simgpu/nccl/debug_log.h"
#include "simgpu/nccl/profiler_events.h"

namespace simgpu::nccl {
namespace {

const ProfilerPlugin* plugin;  // null: none
int wanted_events = 0;         // of all communicators
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
  for (const char* version : {"ncclProfiler_v7", "ncclProfiler_v6", "ncclProfiler_v5"}) {
    const auto* const found = static_cast<const ProfilerPlugin*>(dlsym(library, version));
    if (!found) continue;
    log_info("PROFILER/Plugin: Loaded %s (%s)", found->name, std::strchr(version, 'v'));
    return found;
  }
  log_info("External profiler plugin %s is unsupported", name.c_str());
  return nullptr;
}

const char* type_name(ncclDataType_t type) {
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
  if (plugin->init(&communicator.profiler_context, communicator.number, &wanted_events, nullptr, 1, communicator.ranks,
                   communicator.rank, no_log) == ncclSuccess)
    return log_info("Profiler event mask 0x%x", static_cast<unsigned>(wanted_events));
  log_info("Profiler init failed. Continue without profiler.");
  plugin = nullptr;
}

void profile_end(Communicator& communicator) {
  if (plugin && communicator.profiler_context) plugin->finalize(communicator.profiler_context);
  communicator.profiler_context = nullptr;
}

ProfiledCall::ProfiledCall(const Communicator& communicator, const Message& message, cudaStream_t stream,
                           bool is_captured, int depth) {
  if (!plugin) return;
  start_group(communicator, is_captured, depth);
  const bool is_message = is_point_to_point(message.function);
  ProfilerDescriptor what{};
  what.type = is_message ? kP2pApi : kCollApi;
  what.parent = group_event;
  const int of_calls = is_message ? kP2p | kP2pApi : kColl | kCollApi | kKernelLaunch;
  if (!(wanted_events & of_calls)) return;
  if (is_message)
    what.p2p_api = {function_name(message.function), message.count, type_name(message.type), stream, is_captured};
  else
    what.coll_api = {function_name(message.function),     message.count, type_name(message.type),
                     message.peer < 0 ? 0 : message.peer, stream,        is_captured};
  start(communicator, &handle_, what);
}

ProfiledCall::~ProfiledCall() {
  if (handle_) plugin->stop(handle_);
}

void profile_group_end() {
  if (plugin && group_event) plugin->record(group_event, kGroupEndStarted, nullptr);
}

// What a graph captured has its events when the graph is launched: not simulated.
void profile_launched(const Communicator& communicator, const std::vector<Message>& messages,
                      const std::vector<StreamRef>& streams) {
  if (!plugin || messages.empty() || is_capturing(streams.front())) return;
  for (const Message& message : messages) {
    const bool is_message = is_point_to_point(message.function);
    if (!(wanted_events & (is_message ? kP2p : kColl))) continue;
    ProfilerDescriptor what{};
    what.type = is_message ? kP2p : kColl;
    what.rank = communicator.rank;
    if (is_message)
      what.p2p = {
          function_name(message.function), nullptr, type_name(message.type), message.count, message.peer, 1, nullptr};
    else
      what.coll = {0,
                   function_name(message.function),
                   message.send_buffer,
                   message.receive_buffer,
                   message.count,
                   message.peer,
                   type_name(message.type),
                   1,
                   1,
                   "RING",
                   "SIMPLE",
                   nullptr};
    void* handle = nullptr;
    start(communicator, &handle, what);
    if (handle) plugin->stop(handle);
  }
}

void profile_group_done() {
  if (plugin && group_event) plugin->stop(group_event);
  group_event = nullptr;
  has_group = false;
}

}  // namespace simgpu::nccl
