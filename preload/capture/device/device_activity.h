// What the device did, from CUPTI's activity records, or from CUDA events where CUPTI cannot be had.
// One object a process, owned by the session.
//
// Which thread calls what:
//   application threads   start() once, before the first real CUDA call; stream_created();
//                         other_user(); set_recording(); before_work() and after_work()
//   the writer thread     take_call(), collect(), flush(), finish()
//
// Every cycle of the writer thread is: read the clock, drain the rings (take_call() for each call),
// collect() with that clock reading. Links are written for work whose call is known; work whose call
// has not been told yet (it has not returned, or not been drained) waits in here.
#pragma once

#include <stdint.h>

#include "capture/rings/recorded_call.h"
#include "capture/settings/configuration.h"
#include "capture/ticks.h"
#include "log/writer.h"

namespace tauprof::capture {

class DeviceActivity {
 public:
  constexpr DeviceActivity() = default;
  DeviceActivity(const DeviceActivity&) = delete;
  DeviceActivity& operator=(const DeviceActivity&) = delete;

  // Finds CUPTI and enables what the configuration asks for. Uses up to half of buffer_bytes. Failure
  // is said once and leaves recording of calls as it is. `first_caller`: an address in the
  // library or program that makes the first call.
  void start(const Configuration& configuration, const void* first_caller);

  // A stream exists now: its handle and number can be joined (log record `stream`).
  void stream_created(void* stream);

  // Somebody else called a CUPTI function that takes the subscription or the activity buffers away.
  // Called before the real function. Flushes, gives way, remembers the gap.
  void other_user(const char* function);
  // Somebody else registers a clock with CUPTI; it is his again when we give way.
  void other_clock(uint64_t (*clock)());

  // Work that is launched while this is off does not go into the log.
  void set_recording(bool is_on);

  // Event timing only, around a call that launches work: true while calls must be told.
  bool times_with_events() const { return __atomic_load_n(&times_with_events_, __ATOMIC_RELAXED); }
  // Returns a token for after_work(), 0: not timed. `kernel`: host function of a kernel launch, else null;
  // `function`: the hook's number.
  uint32_t before_work(void* stream, const void* kernel, uint16_t function);
  uint32_t before_group_end(uint16_t function);  // the same for the work of the thread's NCCL group
  // `start`, `end`: the call's, in ticks.
  void after_work(uint32_t token, uint64_t start, uint64_t end);

  void take_call(const RecordedCall& call);
  // Finished buffers become rows. Every call that returned before `drained_until_ns` has been told.
  void collect(log::Writer& writer, const TickScale& scale, uint64_t drained_until_ns);
  // Asks for unfinished buffers' complete records (not forced); called every 50–100 ms.
  void flush();
  // Forced flush and the last rows, at a normal end. Called once, when no call is recorded any more.
  void finish(log::Writer& writer, const TickScale& scale);

  bool gave_way() const { return gave_way_; }

 private:
  void set_events(bool are_used) { __atomic_store_n(&times_with_events_, are_used, __ATOMIC_RELAXED); }
  struct State;
  State* state_ = nullptr;
  bool times_with_events_ = false;
  bool gave_way_ = false;
};

// The process's one. Defined in device_activity.cpp, constant-initialised: hooks may call it any time.
extern DeviceActivity device_activity;

}  // namespace tauprof::capture
