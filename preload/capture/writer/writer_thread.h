// The recorder's thread, beside the one that has its descriptors (base/file_thread.h). Every few milliseconds it drains
// all rings, turns their records into rows and writes these to the file, so that a killed process loses at most the
// last 100 ms.
#pragma once

#include <pthread.h>
#include <stdint.h>

#include "capture/base/ticks.h"
#include "capture/rows/log_cap.h"
#include "capture/rows/log_health.h"
#include "capture/rows/version_facts.h"
#include "capture/settings/configuration.h"
#include "capture/settings/launcher.h"
#include "capture/stacks/pause_sampler.h"
#include "capture/stacks/stack_rows.h"
#include "capture/writer/cost_rows.h"
#include "capture/writer/found_rank.h"
#include "capture/writer/open_calls.h"
#include "capture/writer/row_builder.h"
#include "capture/writer/writer_start.h"
#include "log/writer.h"

namespace tauprof::capture {

class WriterThread {
 public:
  WriterThread(const Configuration& configuration, const Placement& placement, const TickScale& scale)
      : configuration_(configuration),
        placement_(placement),
        scale_(scale),
        start_(writer_),
        cap_(configuration.on_full, configuration.max_bytes),
        stacks_(writer_),
        rows_(writer_, scale_, stacks_, configuration_.step_marker),
        pauses_(writer_, stacks_) {}

  // Starts the thread, which creates the log. False: that failed, or the directory does not answer; this has been
  // reported on stderr, and the thread ends.
  bool start();
  // Makes the thread write what there is and ask for the last device records. Waits for that, but not without
  // limit.
  void finish_device_work();
  // Makes the thread write what there is, and that the process is about to replace itself. Waits half a second at most.
  bool write_all_now();
  // False in a child that has the number of this process in a namespace of its own.
  bool is_of_this_process() const;
  // Makes the thread write what there is, close the log and end. Together with the above it waits less than two
  // seconds.
  void finish(const char* reason);
  // The thread does nothing but create the log before the first of these calls, and asks for no device records before
  // the second, which any thread may make.
  void begin() { start_.begin(); }
  void devices_have_started() { start_.devices_have_started(); }
  // The program goes on before that.
  void goes_on_without_devices(uint64_t now) { start_.goes_on_without_devices(now); }

  // The costs to the application: of starting, and of one recorded call.
  void set_costs(uint64_t start_ns, uint64_t call_ps) { costs_.set_costs(start_ns, call_ps); }

 private:
  // kAway: the thread has left, and the log is open. Who needs it next brings it back, or ends the log itself.
  enum Phase : uint32_t { kOpening, kRecording, kFailed, kGivenUp, kAway, kDeviceDone, kEnded };
  static void* run(void* self);
  bool open();
  bool move_phase(Phase from, Phase to);
  void wait_for(Phase phase, uint64_t limit_ns);
  bool is_left_alone();
  bool leave();
  void be_away();
  void come_back();
  bool take_over();
  static void* run_again(void* self);
  void be_the_writer();
  void write_all();
  void finish_device();
  void loop();
  void cycle();
  void collect_device_activity(uint64_t now);
  uint64_t drain_rings();
  void name_thread(const RingPool::Slot& slot);
  void write_drops(uint64_t now);
  void write_cost(uint64_t now);
  uint64_t waiting_for_end_ns() const;
  void find_rank(uint64_t now);
  void flush_when_due(uint64_t now);
  void stop_recording(uint64_t now, const char* reason);
  void close();

  Configuration configuration_;
  Placement placement_;
  TickScale scale_;
  log::Writer writer_;
  WriterStart start_;
  LogCap cap_;
  StackRows stacks_;
  RowBuilder rows_;
  PauseSampler pauses_;
  OpenCalls open_calls_ = {};
  VersionFacts versions_ = {};
  CostRows costs_;
  FoundRank found_rank_;
  pthread_t thread_ = {};
  uint64_t stopped_ns_ = 0;
  uint64_t last_flush_ns_ = 0, last_device_flush_ns_ = 0, last_cost_ns_ = 0;
  uint64_t last_devices_ns_ = 0, last_cpu_wait_ns_ = 0;
  uint64_t pause_ns_ = 1'000'000;
  uint32_t named_[RingPool::kMostSlots] = {};  // by slot: number of the thread whose row has been written
  const char* end_reason_ = "";
  LogHealth health_;
  uint32_t file_thread_ = 0;
  uint32_t thread_id_ = 0;
  bool ends_here_ = false;  // the thread that ends the process does the writer's work: that one has left
  uint32_t asked_to_write_ = 0, has_written_ = 0;  // how often
  uint64_t last_look_ns_ = 0;     // on the kernel's clock
  uint64_t last_call_ns_ = 0;     // on the kernel's clock: when the thread last saw that calls had been made
  uint64_t calls_seen_ = 0;
  uint64_t waited_ns_ = 0;         // by the program's end so far
  uint64_t finish_began_ns_ = 0;   // when the program's end began to wait for the log's end
  uint32_t phase_ = kOpening;
  uint32_t is_device_ending_ = 0;
  uint32_t is_stopping_ = 0;
  bool has_stopped_ = false;
};

}  // namespace tauprof::capture
