// Makes log rows of CUPTI's activity records, each with the number of the call that launched the work.
//
// A record may come before its call has been told: the call has not returned, or its ring was not drained. Such rows
// wait. One that waits too long, or finds no room, is written with CUPTI's own correlation number, and a link row
// follows if its call is told after all. The writer thread uses it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/device/cupti_library.h"
#include "capture/device/cupti_records.h"
#include "capture/device/launch_calls.h"
#include "log/writer.h"

namespace tauprof::capture {

class ActivityRows {
 public:
  // `memory` is zeroed.
  void begin(void* memory, size_t bytes);
  void set_clock(uint64_t now) { now_ = now; }
  // Where every launch in the window is recorded: `is_outside` says whether nothing was at that time (ns). Work that
  // was launched then, or in none of the recorded calls, is left out. Null: all work is kept.
  void leave_out(bool (*is_outside)(uint64_t time)) { is_outside_ = is_outside; }

  // Launches that are made in no call of ours get a row, on the log's thread `number_of` the kernel's id (0: not
  // known).
  void tell_calls_of_others(uint32_t (*number_of)(uint32_t os_id)) { thread_number_ = number_of; }

  // The first pass over a buffer takes what others refer to, the second all device work.
  void take_buffer(const CuptiLibrary& cupti, log::Writer& writer, uint8_t* bytes, size_t valid, bool first);
  // A row of work that was launched by `thread_id` at `time`.
  void add_timed(log::Writer& writer, const log::DeviceActivity& row, uint32_t thread_id, uint64_t time);
  void add_call(const RecordedCall& call) { launches_.add_call(call); }

  // Rows whose calls have been told by now. `is_last`: nothing more will be told.
  void settle(log::Writer& writer, bool is_last);

  // Work that CUPTI handed over before it had ended, without times: how much since the last call.
  uint64_t take_unfinished();
  // The context in which work of this device was seen; 0: none yet.
  uint32_t context_of(uint32_t device) const;

 private:
  // Where the launch was made: by its number, or by thread and time.
  struct Launch {
    uint32_t correlation;  // 0: by time
    uint32_t thread_id;
    uint64_t time;
  };
  struct Waiting {
    log::DeviceActivity row;
    Launch launch;
    uint64_t since;
  };

  void take_record(log::Writer& writer, const uint8_t* record);
  bool make_row(log::Writer& writer, const uint8_t* record, log::DeviceActivity& row, uint32_t& correlation);
  void take_synchronization(log::Writer& writer, const cupti_records::Synchronization& record);
  void add(log::Writer& writer, log::DeviceActivity& row, const Launch& launch);
  bool write_if_known(log::Writer& writer, log::DeviceActivity& row, const Launch& launch);
  void write_call_of_others(log::Writer& writer, uint32_t correlation, const log::DeviceActivity& work);
  void write_unlinked(log::Writer& writer, const Waiting& waiting);
  void settle_links(log::Writer& writer);
  CallIndex::Answer call_of(const Launch& launch, uint64_t& number);
  bool is_launched_outside(const Launch& launch) const;
  bool find_device(uint32_t context, uint32_t& device) const;
  void note_context(uint32_t context, uint32_t device);

  LaunchCalls launches_;
  const CuptiLibrary* cupti_ = nullptr;
  uint32_t (*thread_number_)(uint32_t) = nullptr;
  Waiting* waiting_ = nullptr;
  uint32_t most_waiting_ = 0;
  uint32_t waiting_count_ = 0;
  static constexpr uint32_t kMostUnlinked = 1024;
  uint32_t unlinked_[kMostUnlinked] = {};  // CUPTI's numbers that were written without a call
  uint32_t unlinked_count_ = 0;
  uint64_t now_ = 0;
  bool (*is_outside_)(uint64_t time) = nullptr;
  uint64_t unfinished_ = 0;

  static constexpr uint32_t kContexts = 64;
  struct Context {
    uint32_t context, device;
  };
  Context contexts_[kContexts] = {};
};

}  // namespace tauprof::capture
