// Device activity from CUPTI's records, or from CUDA events where CUPTI cannot be used. There is one object per
// process.
//
// Which thread calls what:
//   one thread            start() once, before the first real CUDA call, if the loader allows it
//   application threads   stream_created(); other_user(); set_recording(), follow_window(); before_work() and
//                         after_work()
//   the writer thread     take_call(), collect(), flush(), finish()
//
// In each cycle the writer thread reads the clock, drains the rings (take_call() for each call), and calls collect()
// with that clock reading. Work whose call is known is written at once; work whose call has not returned or not been
// drained yet waits here.
#pragma once

#include <stdint.h>

#include "capture/base/ticks.h"
#include "capture/rings/recorded_call.h"
#include "capture/rings/recording.h"
#include "capture/settings/configuration.h"
#include "log/writer.h"

namespace tauprof::capture {

class DeviceActivity {
 public:
  constexpr DeviceActivity() = default;
  DeviceActivity(const DeviceActivity&) = delete;
  DeviceActivity& operator=(const DeviceActivity&) = delete;

  // Enables what the configuration asks for, of CUPTI if that is open. Uses up to half of buffer_bytes. A failure is
  // reported once and does not affect the recording of calls.
  void start(const Configuration& configuration);

  // A stream has been created: its handle and number can be joined (log record `stream`).
  void stream_created(void* stream, uint32_t flags);

  // Another profiler calls a function of CUPTI. Must be called before the real function. If the function takes the
  // activity buffers away: flushes, gives way, remembers the gap.
  void other_user(const char* function);
  // Another profiler has called cuptiSubscribe_v2, and its subscription allows others. It has unsubscribed.
  void other_subscribed(bool has_succeeded, bool allows_others);
  void other_unsubscribed();
  // Another profiler registers a clock with CUPTI, which is set again when we give way.
  void other_clock(uint64_t (*clock)());

  // Whether device records are wanted. Where they are not, the source is switched off once work that was launched
  // before has its records. follow_window() switches CUPTI on, and must be called afterwards without any lock.
  void set_recording(bool is_on);
  void follow_window();
  // The current state of device times, and since when it has been kLent (0: not known). Any thread.
  log::DeviceTimesState times_state() const;
  uint64_t lent_since() const;

  // Whether CUDA events time device work. Then before_work() and after_work() must be called around each launch.
  bool times_with_events() const { return (recording() & kTimesWithEvents) != 0; }
  // Returns a token for after_work(); 0: the launch is not timed. `kernel`: the host function of a kernel launch, else
  // null; `function`: the hook's number.
  uint32_t before_work(void* stream, const void* kernel, uint16_t function);
  uint32_t before_group_end(uint16_t function);  // likewise for the work of the thread's NCCL group
  // `start` and `end` of the call, in ticks.
  void after_work(uint32_t token, uint64_t start, uint64_t end);

  // The thread is about to reset its current device.
  void device_is_reset();

  void take_call(const RecordedCall& call);
  // Writes rows from the completed buffers. Every call that returned before `drained_until_ns` has been taken. Work
  // that was launched at a time for which `is_left_out` is true gets no row; `is_exact`: nor does work without a call;
  // nor does any work for whose launch `is_timed` is false (null: all has).
  void collect(log::Writer& writer, const TickScale& scale, uint64_t drained_until_ns,
               bool (*is_left_out)(uint64_t time), bool is_exact, bool (*is_timed)(uint64_t time));
  // While records are on and no longer wanted: since when the oldest launch is under way (UINT64_MAX: none is).
  bool is_draining() const;
  void know_oldest_launch(uint64_t start);
  // Asks CUPTI for its complete records. To be called every 50–100 ms.
  void flush();
  // Forces a flush and writes the last rows, at a normal end. To be called once, when no more calls are recorded.
  void finish(log::Writer& writer, const TickScale& scale);

  // The devices whose work has been written, a bit each. For the writer thread.
  uint64_t devices() const;

  // Whether another profiler uses CUPTI at this moment: calls that we made now would be in its trace.
  bool is_lent() const;

 private:
  struct State;
  State* state_ = nullptr;
  bool gave_way_ = false;                // before start()
  bool gave_way_to_subscriber_ = false;  // whose call is under way
  bool others_are_subscribed_ = false;
  int wish_ = 0;  // of set_recording(): 1 or -1; 0: none yet
  bool is_wanted() const { return __atomic_load_n(&wish_, __ATOMIC_RELAXED) >= 0; }
  void write_source(log::Writer& writer);
  static void say_given(const char* function);
  const char* source_ = "not wanted: TAUPROF_CAPTURE without device";
  const char* written_source_ = nullptr;
};

// The object of this process. Constant-initialised, so hooks may call it at any time.
extern DeviceActivity device_activity;

}  // namespace tauprof::capture
