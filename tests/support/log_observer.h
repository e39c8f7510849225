// Writes the log files of a simulated job, one per process, as the recorder would.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "communicators.h"
#include "job_events.h"
#include "job_spec.h"
#include "log/writer.h"
#include "model/status.h"

namespace tauprof::generator {

class LogObserver : public JobObserver {
 public:
  LogObserver(const JobSpec& spec, const Communicators& communicators)
      : spec_(spec), communicators_(communicators), processes_(spec.ranks / spec.devices_per_process) {}

  // Creates the files in `directory`, which must exist; the files must not.
  Status open(const std::string& directory);
  Status close();
  uint64_t bytes_written() const;

  void on_call(int rank, const HostCall& call) override;
  void on_span(int rank, const DeviceSpan& span) override;
  void on_range(int rank, const HostRange& range) override;
  void on_collective(const CollectiveUnit&) override {}  // its calls and spans are the record
  void on_step_end(int rank, int step, int64_t time, int64_t dropped_spans) override;
  void on_recording_gap(int rank, int64_t start, int64_t end) override;

 private:
  struct ProcessLog {
    std::unique_ptr<log::Writer> writer;  // null: this log is missing
    int64_t offset = 0;
    int64_t drift_ppb = 0;
    int step = 0;
    int64_t cpu_wait_ns = 0;
    bool has_met = false;  // a collective's kernel was written in this step
    int64_t last_time = 0;
    std::string path;
    std::unordered_map<const char*, int64_t> names;  // address of a static text: its id

    // This log's clock at a true time.
    int64_t at(int64_t time) const { return time + offset + (time - kStart) * drift_ppb / 1'000'000'000; }
  };
  static constexpr int64_t kStart = 1'000'000'000'000;

  Status open_process(const std::string& directory, int process);
  void write_process(int process);
  void write_device(int rank);  // with its threads and streams
  void write_communicators(int rank);
  void write_collective(int rank, const HostCall& call);
  void write_gemm(int rank, const HostCall& call);
  void write_plain_call(int rank, const HostCall& call);
  // The columns that the three kinds of calls share.
  template <class Record>
  Record call_record(int rank, const HostCall& call);
  static int64_t id_of(ProcessLog& process_log, std::string_view static_text);
  static int64_t intern(ProcessLog& process_log, std::string_view text);

  ProcessLog& log_of(int rank) { return processes_[rank / spec_.devices_per_process]; }
  int device_of(int rank) const { return rank % ranks_per_host(spec_); }
  int host_of(int rank) const { return rank / ranks_per_host(spec_); }
  int device_in_process(int rank) const { return rank % spec_.devices_per_process; }
  // These numbers differ between the devices of a process.
  int64_t thread_number(int rank, int thread) const { return device_in_process(rank) * kThreads + thread + 1; }
  int64_t handle(int rank, int stream) const { return stream_handle(device_in_process(rank), stream); }
  int64_t communicator_key(int rank, int role) const { return device_in_process(rank) * kCommunicatorRoles + role + 1; }
  int64_t correlation(int rank, int64_t id) const { return id * spec_.devices_per_process + device_in_process(rank); }
  int64_t group(int rank, int64_t id) const { return id == 0 ? 0 : correlation(rank, id); }

  const JobSpec& spec_;
  const Communicators& communicators_;
  std::vector<ProcessLog> processes_;
};

}  // namespace tauprof::generator
