// Receives CUPTI's activity records, gives CUPTI up to another profiler in the process, and takes it again.
//
// A process has one set of activity callbacks. Whoever registers them last gets all records, even those of buffers that
// others handed out. So before another profiler registers, our records are flushed, our activity kinds disabled, and
// the clock is set back to what the other profiler expects. CUPTI is taken again when the other profiler has disabled
// what it enabled, has flushed, and has been quiet for a while. Subscribing to callbacks alone takes nothing away.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/device/activity_buffers.h"
#include "capture/device/activity_rows.h"
#include "capture/device/cupti_library.h"

namespace tauprof::capture {

class CuptiActivity {
 public:
  enum class Use : uint32_t { kOff, kOurs, kTheirs };

  // `caller`: see CuptiLibrary; `buffers`: memory for CUPTI's buffers. False: CUPTI cannot be used; failure() says why.
  bool start(const void* caller, void* buffers, size_t bytes, bool with_graph_nodes);
  // As start(), where another profiler already has CUPTI and keeps it.
  bool start_as_second(const void* caller, void* buffers, size_t bytes, bool with_graph_nodes);

  const char* failure() const { return failure_; }

  // ---- Any thread ----
  Use use() const { return __atomic_load_n(&use_, __ATOMIC_ACQUIRE); }
  // Another profiler calls `function`. True: this call made us give way.
  bool other_user(const char* function);
  void other_clock(CUpti_TimestampCallbackFunc clock) { their_clock_ = clock; }
  void set_recording(bool is_on);
  bool stream_number(void* stream, uint32_t& number) const;

  // ---- The writer thread ----
  void flush();
  void finish();
  void take_records(ActivityRows& rows, log::Writer& writer);
  // True: CUPTI has been taken again.
  bool take_again_when_free(uint64_t now);
  uint64_t take_dropped();

 private:
  bool load(const void* caller, void* buffers, size_t bytes, bool with_graph_nodes);
  void share_buffers();
  bool take();
  CUptiResult enable_kinds();
  void disable_kinds();
  void select_calls(bool are_wanted);
  void select_calls_of(CUpti_CallbackDomain domain, decltype(&::cuptiActivityEnableRuntimeApi) select,
                       CUpti_ActivityKind kind, bool are_wanted);

  CuptiLibrary cupti_;
  ActivityBuffers buffers_;
  Use use_ = Use::kOff;
  bool with_graph_nodes_ = false;
  bool is_recording_ = true;
  char failure_[160] = "";
  // Of the other profiler.
  CUpti_TimestampCallbackFunc their_clock_ = nullptr;
  CUpti_ActivityThreadIdType their_thread_ids_ = CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT;
  int32_t their_kinds_ = 0;
  uint32_t they_flushed_ = 0;
  uint64_t their_last_call_ = 0;
};

}  // namespace tauprof::capture
