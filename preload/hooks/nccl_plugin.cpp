// Our profiler plugin for NCCL: the door for communicators that were created through no hook (NCCL linked statically,
// or called by ctypes). NCCL tells of each call on the calling thread, and the call is recorded as its hook would have
// recorded it, with two exceptions: the reduction is not told, and a message has its peer only when it is launched.
//
//   call outside of a group:   group, call, [launches], end of the group      the call lasts as long as its group
//   in a group:                group, call, call, …, group end starts, [launches, messages], end of the group
//
// Communicators of hooked calls have no events, and if there are none but these, NCCL is asked for none at all.
#include <string.h>

#include "capture/calls/communicators.h"
#include "capture/calls/graph_captures.h"
#include "capture/device/call_watch.h"
#include "capture/loader/loaded_library.h"
#include "capture/rings/hook_info.h"
#include "capture/rings/recorder.h"
#include "capture/rings/recording.h"
#include "capture/session/session.h"
#include "capture/window/record_window.h"
#include "hooks/capture_number.h"
#include "hooks/hook_number.h"
#include "hooks/nccl_forwarding.h"
#include "hooks/nccl_phases.h"
#include "hooks/nccl_profiler.h"
#include "log/format.h"

namespace tauprof::hooks {
namespace {

using capture::CollectiveUnit;
using capture::Communicator;
using capture::communicators;
using capture::ThreadState;
using log::DataType;
using log::Operation;
using nccl_profiler::Descriptor;

constexpr int kWanted =
    nccl_profiler::kGroupApi | nccl_profiler::kCollApi | nccl_profiler::kP2pApi | nccl_profiler::kP2p;

constexpr struct Function {
  const char* name;
  uint16_t hook;
  Operation operation;
  bool has_root;
} kFunctions[] = {
    {"AllReduce", kHook_ncclAllReduce, Operation::kAllReduce, false},
    {"AllGather", kHook_ncclAllGather, Operation::kAllGather, false},
    {"ReduceScatter", kHook_ncclReduceScatter, Operation::kReduceScatter, false},
    {"Broadcast", kHook_ncclBroadcast, Operation::kBroadcast, true},
    {"Reduce", kHook_ncclReduce, Operation::kReduce, true},
    {"AlltoAll", kHook_ncclAlltoAll, Operation::kAllToAll, false},
    {"Gather", kHook_ncclGather, Operation::kGather, true},
    {"Scatter", kHook_ncclScatter, Operation::kScatter, true},
    {"Send", kHook_ncclSend, Operation::kSend, false},
    {"Recv", kHook_ncclRecv, Operation::kReceive, false},
};

constexpr struct Type {
  const char* name;
  DataType type;
} kTypes[] = {
    {"Int8", DataType::kInt8},         {"Uint8", DataType::kUint8},           {"Int32", DataType::kInt32},
    {"Uint32", DataType::kUint32},     {"Int64", DataType::kInt64},           {"Uint64", DataType::kUint64},
    {"Float16", DataType::kFloat16},   {"Float32", DataType::kFloat32},       {"Float64", DataType::kFloat64},
    {"Bfloat16", DataType::kBfloat16}, {"Float8e4m3", DataType::kFloat8E4M3}, {"Float8e5m2", DataType::kFloat8E5M2},
};

const Function* function_named(const char* name) {
  for (const Function& function : kFunctions)
    if (name != nullptr && strcmp(function.name, name) == 0) return &function;
  return nullptr;
}

uint8_t type_named(const char* name) {
  constexpr unsigned kPrefix = 4;  // "ncclFloat32"
  for (const Type& type : kTypes)
    if (name != nullptr && strlen(name) > kPrefix && strcmp(type.name, name + kPrefix) == 0)
      return static_cast<uint8_t>(type.type);
  return static_cast<uint8_t>(DataType::kUnknown);
}

bool is_message(const Function& function) {
  return function.operation == Operation::kSend || function.operation == Operation::kReceive;
}

// NCCL's handle for a communicator of a process. Null members: hooks see it; no other plugin is told of it.
struct Context {
  Communicator* communicator;
  void* forwarded;
};
Context g_contexts[capture::Communicators::kMost];
uint32_t g_context_count;

struct Call {
  const Function* function;  // null: there is none
  bool is_recorded;
  uint64_t start;  // ticks
  capture::CallFacts facts;
  capture::Unit extension = {};
};

// The events that NCCL has started and not ended on a thread. Handles are those that NCCL has: another plugin's, or
// ours, which are odd and hold the time of the start, and whether it is a part of a collective that NCCL makes of
// messages; or, where NCCL is asked for phases, the collective (nccl_phases.h).
struct OpenEvents {
  void* group;
  void* call_handle;
  uint64_t group_start;
  uint64_t end_start;  // of ncclGroupEnd; 0: not yet
  uint64_t number;     // of the group; 0: a call outside of groups
  Call call;
  bool hides_callbacks;
};
__thread OpenEvents open_events __attribute__((tls_model("initial-exec"))) = {};

constexpr unsigned kHandleFlags = 4;
void* own_handle(uint64_t ticks, bool is_part) {
  return reinterpret_cast<void*>(ticks << kHandleFlags | is_part << 1 | 1);
}
bool is_own(const void* handle) { return (reinterpret_cast<uintptr_t>(handle) & 1) != 0; }
bool is_part(const void* handle) { return is_own(handle) && (reinterpret_cast<uintptr_t>(handle) & 2) != 0; }
uint64_t start_of(const void* handle) { return reinterpret_cast<uintptr_t>(handle) >> kHandleFlags; }

// NCCL's own calls of CUDA belong to the call that the program made.
void hide_callbacks(ThreadState& thread, OpenEvents& open) {
  open.hides_callbacks = capture::call_watch.is_open();
  if (open.hides_callbacks) thread.watched_by = capture::call_watch.number();
}

void record(ThreadState& thread, uint16_t hook, uint64_t start, uint64_t end, const capture::CallFacts& facts,
            const capture::Unit* extension) {
  if (!(capture::recording() & capture::kCategoryNccl)) return;
  capture::record_call(thread, hook, {start, end, 0}, facts, 0,
                       extension != nullptr ? capture::DropKind::kCollective : capture::DropKind::kCall, extension);
}

void start_group(ThreadState& thread, const Descriptor& what, uint64_t now) {
  OpenEvents& open = open_events;
  open = {};
  open.group_start = now;
  if (what.group_api.depth > 1)
    open.number = communicators.new_group();
  else
    hide_callbacks(thread, open);
}

// A captured call runs, and counts, when its graph is launched.
uint32_t captured_in(void* stream) {
  const uint64_t number = capture_number(stream, nullptr);
  return number != 0 ? capture::graph_captures.with_number(number) : 0;
}

void start_call(ThreadState& thread, Communicator& communicator, const Function& function, size_t count,
                const char* type, int root, void* stream, bool is_captured, uint64_t now) {
  OpenEvents& open = open_events;
  open.call = {&function, false, open.number != 0 ? now : open.group_start, {}, {}};
  open.call.facts.stream = reinterpret_cast<uintptr_t>(stream);
  open.call.facts.payload = count;
  CollectiveUnit& unit = open.call.extension.collective;
  unit.tag = capture::ExtensionTag::kCollective;
  unit.operation = static_cast<uint8_t>(function.operation);
  unit.datatype = type_named(type);
  unit.peer = function.has_root ? root + 1 : 0;
  unit.communicator = communicator.number;
  unit.group = open.number;
  if (is_captured) unit.graph = captured_in(stream);
  if (unit.graph != 0)
    capture::graph_captures.add_collective(unit.graph, &communicator, function.hook, open.call.facts, unit);
  else if (!is_message(function))
    unit.sequence = communicators.count(communicator, function.operation, open.number);
  if (open.number == 0) {
    capture::record_window.follow_call(capture::function_name(function.hook));
    capture::announce_call(thread, function.hook, {open.call.start, 0, 0});
  }
}

// The message's own call has been noted before; in a group, its handle has the time. Messages of a graph's launch come
// without a group.
void add_message(ThreadState& thread, Communicator& communicator, const Descriptor& what) {
  OpenEvents& open = open_events;
  const Function* const function = function_named(what.p2p.function);
  const bool is_alone_in_collective =
      open.number == 0 && open.call.function != nullptr && !is_message(*open.call.function);
  if (function == nullptr || open.group == nullptr || is_part(what.parent) || is_alone_in_collective) return;
  const bool is_alone = open.number == 0 && open.call.function == function;
  Call message = open.call;
  CollectiveUnit& unit = is_alone ? open.call.extension.collective : message.extension.collective;
  unit.operation = static_cast<uint8_t>(function->operation);
  unit.peer = what.p2p.peer + 1;
  unit.sequence = communicators.count(communicator, function->operation, open.number);
  if (is_alone) return;
  unit.datatype = type_named(what.p2p.type);
  unit.communicator = communicator.number;
  message.facts.payload = what.p2p.count;
  const uint64_t start = is_own(what.parent) ? start_of(what.parent) : open.group_start;
  record(thread, function->hook, start, start, message.facts, &message.extension);
}

void end_call(ThreadState& thread) {
  OpenEvents& open = open_events;
  open.call_handle = nullptr;
  Call& call = open.call;
  if (open.number == 0 || call.function == nullptr || call.is_recorded) return;
  if (is_message(*call.function) && call.extension.collective.graph == 0) return;
  record(thread, call.function->hook, call.start, capture::read_ticks(), call.facts, &call.extension);
  call.is_recorded = true;
}

void end_group(ThreadState& thread) {
  OpenEvents& open = open_events;
  const uint64_t now = capture::read_ticks();
  if (open.number != 0) {
    communicators.end_group(open.number);
    record(thread, kHook_ncclGroupEnd, open.end_start != 0 ? open.end_start : open.group_start, now, {}, nullptr);
  } else if (open.call.function != nullptr) {
    record(thread, open.call.function->hook, open.call.start, now, open.call.facts, &open.call.extension);
  }
  if (open.hides_callbacks) thread.watched_by = 0;
  open = {};
}

bool is_watched(const ThreadState& thread, const Context& context) {
  return context.communicator != nullptr && thread.inside == 0 && (capture::recording() & capture::kTracking) != 0;
}

void take_start(ThreadState& thread, Communicator& communicator, const Descriptor& what, uint64_t now) {
  switch (what.type) {
    case nccl_profiler::kGroupApi:
      return start_group(thread, what, now);
    case nccl_profiler::kCollApi:
      if (const Function* const function = function_named(what.coll_api.function))
        start_call(thread, communicator, *function, what.coll_api.count, what.coll_api.type, what.coll_api.root,
                   what.coll_api.stream, what.coll_api.is_captured, now);
      return;
    // NCCL may make all-to-all, gather and scatter of messages: the first stands for the call. (Of two such calls in a
    // row in one group, the second is lost.)
    case nccl_profiler::kP2pApi:
      if (const Function* const function = function_named(what.p2p_api.function);
          function != nullptr && function != open_events.call.function)
        start_call(thread, communicator, *function, what.p2p_api.count, what.p2p_api.type, 0, what.p2p_api.stream,
                   what.p2p_api.is_captured, now);
      return;
    case nccl_profiler::kP2p:
      return add_message(thread, communicator, what);
    default:
      return;
  }
}

bool is_of_calls(const Descriptor& what) {
  return what.type == nccl_profiler::kGroupApi || what.type == nccl_profiler::kCollApi ||
         what.type == nccl_profiler::kP2pApi;
}

// By which the phases of the open call's kernel are known as its; null: NCCL is not asked for them.
void* handle_for_phases() {
  if (!(capture::recording() & capture::kAsksPhases)) return nullptr;
  const CollectiveUnit& unit = open_events.call.extension.collective;
  return CollectiveHandle::of_call(unit.communicator, unit.sequence);
}

// Returns the other plugin's handle; that plugin knows nothing of events that it did not want. It gets NCCL's own
// descriptor, whose size differs between versions.
void* forward_start(const Context& context, Descriptor& what) {
  if (context.forwarded == nullptr || !forwarded_plugin.wants(what)) return nullptr;
  void* const parent = what.parent;
  if (is_own(parent)) what.parent = nullptr;
  void* handle = nullptr;
  forwarded_plugin.get()->start(context.forwarded, &handle, &what);
  what.parent = parent;
  return handle;
}

int start_event(void* given, void** handle, Descriptor* what) {
  const Context& context = *static_cast<Context*>(given);
  *handle = forward_start(context, *what);
  ThreadState& thread = capture::thread_state;
  if (*handle == nullptr) *handle = start_phases(thread, *what);
  if (!is_watched(thread, context)) return 0;
  const uint64_t now = capture::read_ticks();
  take_start(thread, *context.communicator, *what, now);
  if (!is_of_calls(*what)) return 0;
  const Function* const function = open_events.call.function;
  const bool is_part = what->type == nccl_profiler::kP2pApi && function != nullptr && !is_message(*function);
  if (*handle == nullptr && what->type == nccl_profiler::kCollApi) *handle = handle_for_phases();
  if (*handle == nullptr) *handle = own_handle(now, is_part);
  (what->type == nccl_profiler::kGroupApi ? open_events.group : open_events.call_handle) = *handle;
  return 0;
}

int stop_event(void* handle) {
  if (handle == nullptr) return 0;
  ThreadState& thread = capture::thread_state;
  if (handle == open_events.call_handle)
    end_call(thread);
  else if (handle == open_events.group)
    end_group(thread);
  return is_own(handle) || forwarded_plugin.get() == nullptr ? 0 : forwarded_plugin.get()->stop(handle);
}

int record_state(void* handle, int state, void* arguments) {
  OpenEvents& open = open_events;
  record_phases(capture::thread_state, handle, state, arguments);
  if (handle != nullptr && handle == open.group && state == nccl_profiler::kGroupEndStarted && open.number != 0) {
    ThreadState& thread = capture::thread_state;
    open.end_start = capture::read_ticks();
    hide_callbacks(thread, open);
    capture::announce_call(thread, kHook_ncclGroupEnd, {open.end_start, 0, 0});
  }
  return is_own(handle) || forwarded_plugin.get() == nullptr ? 0
                                                             : forwarded_plugin.get()->record(handle, state, arguments);
}

int current_device() {
  const auto get = reinterpret_cast<int (*)(int*)>(capture::function_of_first_library("libcuda.so", "cuCtxGetDevice"));
  int device = 0;
  return get != nullptr && get(&device) == 0 ? device : capture::thread_state.device;
}

Context* new_context() {
  const uint32_t number = __atomic_fetch_add(&g_context_count, 1, __ATOMIC_RELAXED);
  return number < capture::Communicators::kMost ? &g_contexts[number] : nullptr;
}

// The mask is one for all communicators.
template <int kVersion>
int init(void** given, uint64_t number, int* mask, const char* name, int nodes, int ranks, int rank, void* log) {
  Context* const context = new_context();
  *given = context;
  if (context == nullptr) return 1;
  const bool is_hooked = communicators.take_expected() || capture::thread_state.inside != 0;
  if (!is_hooked && (capture::recording() & capture::kNotStarted)) capture::start_session(nullptr);
  const capture::OwnCalls own;
  if (!is_hooked && (capture::recording() & capture::kTracking)) {
    context->communicator = communicators.add(context, {number, ranks, rank, current_device(), 0});
    *mask |= kWanted;
  }
  *mask |= events_of_phases(kVersion);
  forwarded_plugin.load(kVersion);
  if (const nccl_profiler::Plugin* const other = forwarded_plugin.get()) {
    int wanted = *forwarded_plugin.mask();
    if (other->init(&context->forwarded, number, &wanted, name, nodes, ranks, rank, log) == 0) {
      *forwarded_plugin.mask() |= wanted;
      *mask |= wanted;
    }
  }
  return 0;
}

int finalize(void* given) {
  Context& context = *static_cast<Context*>(given);
  communicators.forget(&context);
  context.communicator = nullptr;
  void* const forwarded = context.forwarded;
  context.forwarded = nullptr;
  return forwarded != nullptr ? forwarded_plugin.get()->finalize(forwarded) : 0;
}

template <int kVersion>
constexpr nccl_profiler::Plugin kPlugin = {"tauprof", init<kVersion>, start_event, stop_event, record_state, finalize};

}  // namespace
}  // namespace tauprof::hooks

#define TAUPROF_PLUGIN(version)                                        \
  extern "C" __attribute__((visibility("default")))                    \
  const tauprof::hooks::nccl_profiler::Plugin ncclProfiler_v##version; \
  const tauprof::hooks::nccl_profiler::Plugin ncclProfiler_v##version = tauprof::hooks::kPlugin<version>;
TAUPROF_PLUGIN(5)
TAUPROF_PLUGIN(6)
TAUPROF_PLUGIN(7)
