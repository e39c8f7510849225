// Turns the events of one trace into records of its log.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "import/collective_records.h"
#include "import/event_reader.h"
#include "import/import_counts.h"
#include "import/name_cache.h"
#include "import/operator_work.h"
#include "import/thread_table.h"
#include "import/trace_metadata.h"
#include "log/writer.h"
#include "model/time_stretch.h"

namespace tauprof::kineto {

class RecordBuilder : public EventVisitor {
 public:
  RecordBuilder(log::Writer& writer, const TraceMetadata& metadata, int64_t other_rank)
      : writer_(writer), metadata_(metadata), names_(writer), collectives_(writer, names_, metadata, other_rank) {}

  void visit(const Event& event) override;

  // Writes what is known only after all events: threads, devices, communicators, losses.
  void finish();

  void count_malformed(uint64_t count) { counts_.add(Dropped::kMalformed, count); }
  const ImportCounts& counts() const { return counts_; }
  // Of nearly all events: single ones may have times that cannot be (read/possible_times.h).
  int64_t first_ns() const { return times_.main().start; }
  int64_t last_ns() const { return times_.main().end; }
  uint32_t process_id() const { return threads_.process_id(); }
  NameCache& names() { return names_; }
  // GPU copies of ProfilerStep# that are on no stream, as on AMD: HTA takes them for the host's.
  bool has_steps_without_stream() const { return has_steps_without_stream_; }

 private:
  // A begin event whose end event has not come yet.
  struct OpenEvent {
    Category category;
    int64_t name;
    int64_t domain;
    int64_t start;
    int64_t correlation;
    int64_t payload;
    int64_t sequence;  // as log::Range
    int64_t forward_thread;
    std::optional<MatrixWork> work;
  };

  void add_complete(const Event& event);
  void add_instant(const Event& event);
  void add_memory(const Event& event);
  void add_metadata(const Event& event);
  void begin(const Event& event);
  void end(const Event& event);

  void add_device_work(const Event& event);
  void add_bandwidth(std::optional<double> gb_per_s, const log::DeviceActivity& copy);
  void add_call(const Event& event, int64_t thread);
  void add_range(const OpenEvent& event, int64_t thread, int64_t end);
  OpenEvent opened(const Event& event);

  bool has_name_and_start(const Event& event);
  int64_t thread_of(const Event& event);
  void saw(int64_t start, int64_t end);
  void write_devices();
  void write_losses();

  log::Writer& writer_;
  const TraceMetadata& metadata_;
  NameCache names_;
  ThreadTable threads_;
  CollectiveRecords collectives_;
  ImportCounts counts_;
  std::unordered_map<int64_t, std::vector<OpenEvent>> open_;  // by thread
  size_t open_events_ = 0;
  bool has_steps_without_stream_ = false;
  std::set<int64_t> devices_;
  int64_t last_device_ = -1;
  TimeStretch times_;
};

}  // namespace tauprof::kineto
