// Receives CUPTI's activity records, gives CUPTI up to another profiler in the process, and takes it again.
//
// A process has one set of activity callbacks. Whoever registers them last gets all records, even those of buffers that
// others handed out. So before another profiler registers, our records are flushed, our activity kinds disabled, and
// the clock is set back to what the other profiler expects. CUPTI is taken again when the other profiler has disabled
// what it enabled, has flushed, and has been quiet for a while. Subscribing to callbacks alone takes nothing away.
//
// Where the other profiler has a subscriber that allows others, we become one, too (cupti_subscription.h).
//
// No function of CUPTI is called while a lock of the recorder is held: CUPTI has locks that launching threads want.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "capture/device/activity_buffers.h"
#include "capture/device/activity_rows.h"
#include "capture/device/cupti_kinds.h"
#include "capture/device/cupti_library.h"
#include "capture/device/cupti_quirks.h"
#include "capture/device/cupti_subscription.h"
#include "capture/device/lent_times.h"
#include "capture/device/other_clients.h"

namespace tauprof::capture {

class CuptiActivity {
 public:
  enum class Use : uint32_t { kOff, kOurs, kTheirs };

  struct Setup {
    size_t buffer_bytes;         // for CUPTI's buffers
    bool with_graph_nodes;       // instead of whole graphs
    bool is_recording;           // from the start
    bool other_has_it;           // another profiler already has CUPTI, and keeps it
    bool others_are_subscribed;  // to callbacks, through a hook
  };
  // False: CUPTI cannot be used; failure() says why.
  bool start(const Setup& setup);
  const char* failure() const { return failure_; }
  const CuptiQuirks& quirks() const { return quirks_; }

  // ---- Any thread ----
  Use use() const { return __atomic_load_n(&use_, __ATOMIC_ACQUIRE); }
  // Whether both had records at any time.
  bool has_joined() const { return __atomic_load_n(&has_joined_, __ATOMIC_RELAXED); }
  // Whether calls that we made now would be in another profiler's trace.
  bool others_listen() const { return use() == Use::kTheirs || (use() == Use::kOurs && is_beside()); }
  // Another profiler calls `function`. True: this call made us give way.
  bool other_user(const char* function);
  // Another profiler has called cuptiSubscribe_v2. `allows_others`: its subscription does. True: we have records, too.
  bool other_subscribed(bool has_succeeded, bool allows_others);
  void other_unsubscribed();
  void other_clock(CUpti_TimestampCallbackFunc clock) { their_clock_ = clock; }
  // Whether records are wanted; follow_wish() switches them. Only a call by the writer thread switches them off, once
  // it has read the buffers that CUPTI had when they were wanted last: a record has its place in a buffer from the
  // launch on, and the buffer comes back when all of its work is over. A launch under way gets the record of its call
  // only when it returns.
  void set_recording(bool is_wanted);
  void follow_wish(bool may_disable);
  bool has_records() const { return __atomic_load_n(&records_, __ATOMIC_ACQUIRE); }
  // Whether records are on, and no longer wanted.
  bool is_draining() const { return has_records() && !__atomic_load_n(&is_wanted_, __ATOMIC_ACQUIRE) && !stays_on(); }
  log::DeviceTimesState times_state() const;
  // When another has got CUPTI last; 0: never.
  uint64_t lent_since() const { return lent_.latest(); }
  // Whether CUPTI refused when records were wanted. Afterwards it is not used.
  bool has_refused() const { return __atomic_load_n(&has_refused_, __ATOMIC_ACQUIRE); }
  bool stream_number(void* stream, uint32_t& number) const;

  // ---- The writer thread ----
  // Since when the oldest launch that has not returned is under way; UINT64_MAX: none is.
  void know_oldest_launch(uint64_t start) { oldest_launch_ = start; }
  // Asks CUPTI for complete records, with force once where nothing has come for long. False: it failed.
  bool flush(uint64_t now);
  void finish();
  void take_records(ActivityRows& rows, log::Writer& writer);
  // Takes CUPTI again when the other profiler is done. To be called after take_records().
  void return_when_free(uint64_t now);
  LentTimes& lent() { return lent_; }
  // Nobody gives us records: CUPTI is left as it is, because another client may use it.
  void leave(const char* why) {
    if (*failure_ == '\0') snprintf(failure_, sizeof failure_, "%s", why);
    __atomic_store_n(&use_, Use::kOff, __ATOMIC_RELEASE);
  }
  uint64_t take_dropped();          // by CUPTI, for lack of a buffer: all kinds of records
  uint64_t take_lost_in_scratch();  // for lack of a better buffer: of work
  ActivityBuffers::Use buffer_use() const { return buffers_.use(); }
  // Whether a forced flush has been tried since CUPTI last handed over a buffer.
  bool has_forced() const { return forced_at_ != 0 && forced_at_ >= buffers_.use().waits_since; }
  // Writes the device memory that CUPTI may take as attributes of the log.
  void write_facts(log::Writer& writer) const;

 private:
  static void CUPTIAPI request_buffer(uint8_t** buffer, size_t* size, size_t* most_records);
  static void CUPTIAPI complete_buffer(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid);
  static void CUPTIAPI request_buffer_beside(uint8_t** buffer, size_t* size, size_t* most_records, const void*);
  static void CUPTIAPI complete_buffer_beside(uint8_t* buffer, size_t, size_t valid, const void*);
  bool is_held_by_a_tool(const Setup& setup);
  bool fail(const char* what, CUptiResult result);
  void share_buffers();
  const CuptiLibrary& acting() const { return is_beside() ? subscription_.bound() : cupti_; }
  bool is_beside() const { return __atomic_load_n(&is_beside_, __ATOMIC_ACQUIRE); }
  bool take();
  bool join();
  void have_taken(bool is_wanted);
  bool give_way();
  void wait_until_left();
  void wait_until_taken();
  bool take_if_free(uint64_t now);
  void leave_others();
  bool stays_on() const { return quirks_.disable_can_deadlock; }
  bool has_drained() const;
  bool is_switch_due(bool is_wanted, bool may_disable) const;
  void switch_records(bool is_wanted);
  void flush_forced(Forced why);
  uint64_t work_in(uint8_t* buffer, size_t valid) const;

  // Of a subscription beside others': who gives way begins, and the writer thread goes on from there.
  enum class Leaving : uint32_t { kNot, kFlushed, kReading };

  CuptiLibrary cupti_;
  CuptiQuirks quirks_ = {};
  CuptiSubscription subscription_;
  CuptiKinds kinds_;
  ActivityBuffers buffers_;
  Use use_ = Use::kOff;
  bool with_graph_nodes_ = false;
  bool can_join_ = false;
  bool has_joined_ = false;
  bool is_taking_ = false;             // CUPTI, at this moment
  bool is_beside_ = false;             // with a subscription beside others'
  LentTimes lent_;                     // given when our records have been flushed
  Leaving leaving_ = Leaving::kNot;
  bool is_wanted_ = true;
  uint64_t unwanted_since_ = 0;
  uint64_t last_request_ = 0;            // for a buffer, while they were wanted
  uint64_t oldest_launch_ = UINT64_MAX;  // of the writer thread
  bool records_ = false;                 // they are switched on
  bool has_refused_ = false;
  uint32_t is_switching_ = 0;
  Forced forced_ = Forced::kNot;  // of buffers that come now
  uint64_t patience_ns_;          // with work that keeps buffers back
  uint64_t forced_at_ = 0;
  uint64_t lost_in_scratch_ = 0;
  char failure_[192] = "";
  // Of the other profiler.
  CUpti_TimestampCallbackFunc their_clock_ = nullptr;
  CUpti_ActivityThreadIdType their_thread_ids_ = CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT;
  OtherClients others_;
};

}  // namespace tauprof::capture
