// Writes log rows of device work, each with the number of the call that launched it.
//
// A record may come before its call is known: the call has not returned, or its ring has not been drained. Its row
// waits. A row that waits too long, or finds no room to wait, is written with CUPTI's own correlation id; if its call
// becomes known later, a link row follows. For the writer thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/device/activity_buffers.h"
#include "capture/device/cupti_library.h"
#include "capture/device/cupti_records.h"
#include "capture/device/launch_calls.h"
#include "log/writer.h"

namespace tauprof::capture {

class ActivityRows {
 public:
  // `memory` is zeroed.
  void init(void* memory, size_t bytes);
  void set_clock(uint64_t now) { now_ = now; }
  // Leaves out work that was launched in no recorded call while `is_outside(time in ns)` was true. With
  // `also_unknown`, work whose call never becomes known is left out, too: for recording windows in which every launch
  // is recorded. Null: all work is kept.
  void leave_out(bool (*is_outside)(uint64_t time), bool also_unknown) {
    is_outside_ = is_outside;
    leaves_out_unknown_ = also_unknown;
  }

  // Leaves out work whose launch is known to have been made at a time for which `is_timed` is false; of work whose
  // launch is not known, its start counts. Null: keeps it.
  void keep_timed(bool (*is_timed)(uint64_t time)) { is_timed_ = is_timed; }

  // Writes a call row for each launch that no hook saw. `number_of` gives the log's number of a thread by the kernel's
  // id (0: not known). Null: writes none, because it cannot be told which they are.
  void write_unhooked_calls(uint32_t (*number_of)(uint32_t os_id)) { thread_number_ = number_of; }
  void know_announced_calls(LaunchCalls::Announced (*announced)(uint32_t os_id)) { announced_ = announced; }

  // The `first` pass over a buffer takes what other records refer to, the second pass takes device work.
  void take_buffer(const CuptiLibrary& cupti, log::Writer& writer, uint8_t* bytes, size_t valid, Forced forced,
                   bool first);
  // Adds work that was launched by `thread_id` at `time`.
  void add_timed(log::Writer& writer, const log::DeviceActivity& row, uint32_t thread_id, uint64_t time);
  void add_call(const RecordedCall& call) { launches_.add_call(call); }

  // Writes the rows whose calls are known by now. `is_last`: no more calls will come; writes all rows.
  void settle(log::Writer& writer, bool is_last);

  // The number of records without times since the last call of this function, by what made CUPTI deliver them.
  uint64_t take_without_times(Forced forced);
  // The number of records that have been left out.
  uint64_t left_out() const { return left_out_; }
  // A context in which this device did work; 0: none yet.
  uint32_t context_of(uint32_t device) const;
  // The devices whose work has rows, a bit each.
  uint64_t devices() const { return devices_; }

 private:
  // A launch by CUPTI's id, by thread and time, or both.
  struct Launch {
    uint32_t correlation;  // 0: not known
    uint32_t thread_id;
    uint64_t time;  // 0: not known
  };
  struct Waiting {
    log::DeviceActivity row;
    Launch launch;
    uint64_t since;
  };

  void take_record(log::Writer& writer, const uint8_t* record, Forced forced);
  void take_synchronization(log::Writer& writer, const cupti_records::Synchronization& record);
  void add(log::Writer& writer, log::DeviceActivity& row, const Launch& launch);
  void write(log::Writer& writer, const log::DeviceActivity& row);
  bool write_if_known(log::Writer& writer, log::DeviceActivity& row, const Launch& launch);
  void write_unhooked_call(log::Writer& writer, uint32_t correlation, const log::DeviceActivity& work);
  void give_up(log::Writer& writer, const Waiting& waiting);
  void write_unlinked(log::Writer& writer, const Waiting& waiting);
  void settle_links(log::Writer& writer);
  CallIndex::Answer call_of(const Launch& launch, uint64_t& number);
  bool is_launched_outside(const Launch& launch, const log::DeviceActivity& row) const;
  bool is_untimed(const Launch& launch, const log::DeviceActivity& row) const;
  void find(Launch& launch) const;
  bool find_device(uint32_t context, uint32_t& device) const;
  void note_context(uint32_t context, uint32_t device);

  LaunchCalls launches_;
  const CuptiLibrary* cupti_ = nullptr;
  uint32_t (*thread_number_)(uint32_t) = nullptr;
  LaunchCalls::Announced (*announced_)(uint32_t) = nullptr;
  Waiting* waiting_ = nullptr;
  uint32_t most_waiting_ = 0;
  uint32_t waiting_count_ = 0;
  static constexpr uint32_t kMostUnlinked = 1024;
  uint32_t unlinked_[kMostUnlinked] = {};  // CUPTI's ids of rows that were written without a call
  uint32_t unlinked_count_ = 0;
  uint64_t now_ = 0;
  bool (*is_outside_)(uint64_t time) = nullptr;
  bool leaves_out_unknown_ = false;
  bool (*is_timed_)(uint64_t time) = nullptr;
  uint64_t left_out_ = 0;
  uint64_t devices_ = 0;
  uint64_t without_times_[4] = {};  // by Forced

  static constexpr uint32_t kContexts = 64;
  struct Context {
    uint32_t context, device;
  };
  Context contexts_[kContexts] = {};
};

}  // namespace tauprof::capture
