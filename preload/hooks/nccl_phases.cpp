#include "hooks/nccl_phases.h"

#include "capture/calls/communicators.h"
#include "capture/rings/recorder.h"
#include "capture/rings/recording.h"

namespace tauprof::hooks {
namespace {

using nccl_profiler::Descriptor;

// The channel whose phases this thread is being told of. NCCL tells of one after the other, each followed by the end of
// the channel; but channels may have started together.
struct OpenChannel {
  const void* handle;    // null: none is open
  uint64_t timer;        // at the start of its first phase
  uint64_t phase_timer;  // at the start of the open phase
  uint64_t phases[3];
  uint8_t channel;
  uint8_t phase;
  bool has_phases;
  bool is_torn;  // NCCL reads what a later kernel writes
};
__thread OpenChannel open_channel __attribute__((tls_model("initial-exec"))) = {};

bool is_asked() { return (capture::recording() & capture::kAsksPhases) != 0; }

void record_channel(capture::ThreadState& thread, const void* handle) {
  if (open_channel.handle != handle || !open_channel.has_phases || open_channel.is_torn) return;
  if (!(capture::recording() & capture::kCategoryNcclPhases)) return;
  capture::Unit extension = {};
  extension.phases.tag = capture::ExtensionTag::kPhases;
  extension.phases.channel = open_channel.channel;
  extension.phases.communicator = CollectiveHandle::communicator(handle);
  for (unsigned i = 0; i < 3; ++i) extension.phases.phases[i] = open_channel.phases[i];
  const uint64_t now = capture::read_ticks();
  capture::record_call(thread, capture::kPhasesUnit, {now, now, 0},
                       {CollectiveHandle::sequence(handle), open_channel.timer}, 0, capture::DropKind::kPhases,
                       &extension);
}

void* start_phase(const Descriptor& what) {
  void* const handle = CollectiveHandle::of_part(what.parent);
  if (handle == nullptr) return nullptr;
  const auto& phase = what.kernel_phase;
  if (open_channel.handle != handle || open_channel.channel != phase.channel) {
    open_channel = {};
    open_channel.handle = handle;
    open_channel.timer = phase.timer;
    open_channel.channel = phase.channel;
  }
  open_channel.phase = phase.phase;
  open_channel.phase_timer = phase.timer;
  return handle;
}

void end_phase(uint64_t timer) {
  if (open_channel.phase >= 3) return;
  open_channel.is_torn |= timer < open_channel.phase_timer;
  open_channel.phases[open_channel.phase] = timer - open_channel.phase_timer;
  open_channel.has_phases = true;
}

}  // namespace

void* CollectiveHandle::of_call(uint32_t communicator, uint64_t sequence) {
  if (sequence == 0) return nullptr;
  return reinterpret_cast<void*>(sequence << (kFlags + kCommunicatorBits) | uintptr_t{communicator} << kFlags |
                                 kCollective | kOwn);
}

void* CollectiveHandle::of_part(void* parent) {
  const uintptr_t flags = value(parent) & kMask & ~kPart;
  return flags == (kOwn | kCollective) ? reinterpret_cast<void*>(value(parent) | kPart) : nullptr;
}

int events_of_phases(int version) {
  if (version < nccl_profiler::kFirstWithPhases || !is_asked()) return 0;
  return nccl_profiler::kCollApi | nccl_profiler::kColl | nccl_profiler::kKernelChannel | nccl_profiler::kKernelPhase;
}

void* start_phases(const capture::ThreadState& thread, const Descriptor& what) {
  switch (what.type) {
    case nccl_profiler::kCollApi:  // of a call that a hook sees, which counts it when it has returned
      if (thread.inside == 0 || thread.communicator == nullptr || !is_asked() || what.coll_api.is_captured)
        return nullptr;
      return CollectiveHandle::of_call(thread.communicator->number, thread.communicator->next_sequence());
    case nccl_profiler::kKernelPhase:
      return start_phase(what);
    case nccl_profiler::kColl:
    case nccl_profiler::kKernelChannel:
      return CollectiveHandle::of_part(what.parent);
    default:
      return nullptr;
  }
}

void record_phases(capture::ThreadState& thread, void* handle, int state, const void* arguments) {
  if (!CollectiveHandle::is_part(handle) || arguments == nullptr) return;
  if (state == nccl_profiler::kKernelPhaseStopped) {
    end_phase(static_cast<const nccl_profiler::TimerOfState*>(arguments)->timer);
  } else if (state == nccl_profiler::kKernelChannelStopped) {
    record_channel(thread, handle);
    open_channel = {};
  }
}

}  // namespace tauprof::hooks
