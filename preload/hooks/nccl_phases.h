// The split of a collective's time that NCCL itself knows: of symmetric kernels (buffers in registered windows), since
// version 7 of its profiler interface. Each channel of a kernel synchronises, works, and synchronises again. It costs
// time on the device, so NCCL is asked only where the user wants it (category nccl-phases).
//
//   on the calling thread:      call, launched collective
//   later, on NCCL's thread:    channels start, …, [phase starts, phase ends] …, channel ends: one row
//
// Handles are numbers that hold the collective's place in the log. So nothing is kept for a call.
#pragma once

#include "capture/rings/thread_state.h"
#include "hooks/nccl_profiler.h"

namespace tauprof::hooks {

class CollectiveHandle {
 public:
  // Where a collective is in the log; `sequence` 0: it is not there.
  static void* of_call(uint32_t communicator, uint64_t sequence);
  // The same for what belongs to the call with that handle; null: the handle is of something else.
  static void* of_part(void* parent);
  static bool is_part(const void* handle) { return (value(handle) & kMask) == (kOwn | kCollective | kPart); }
  static uint32_t communicator(const void* handle) { return value(handle) >> kFlags & kMostCommunicators; }
  static uint64_t sequence(const void* handle) { return value(handle) >> (kFlags + kCommunicatorBits); }

 private:
  // The plugin's own handles are odd; the lowest four bits say what they hold.
  static constexpr uintptr_t kOwn = 1, kCollective = 4, kPart = 8, kMask = 15;
  static constexpr unsigned kFlags = 4, kCommunicatorBits = 13;
  static constexpr uintptr_t kMostCommunicators = (uintptr_t{1} << kCommunicatorBits) - 1;
  static uintptr_t value(const void* handle) { return reinterpret_cast<uintptr_t>(handle); }
};

// Returns the events to ask NCCL for, by the version of the interface.
int events_of_phases(int version);
// The handle of an event that is about phases; null: it is not.
void* start_phases(const capture::ThreadState& thread, const nccl_profiler::Descriptor& what);
// An event with a handle of start_phases() changes its state.
void record_phases(capture::ThreadState& thread, void* handle, int state, const void* arguments);

}  // namespace tauprof::hooks
