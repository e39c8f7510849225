// Writes the events of a simulated job as JSON lines, from the simulation's own state: one object per
// line, with its kind under "kind". Times are true times, without clock offsets.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "communicators.h"
#include "job_events.h"
#include "job_spec.h"
#include "model/status.h"

namespace tauprof::generator {

class TruthObserver : public JobObserver {
 public:
  explicit TruthObserver(const JobSpec& spec) : spec_(spec) {}
  ~TruthObserver() override;
  TruthObserver(const TruthObserver&) = delete;
  TruthObserver& operator=(const TruthObserver&) = delete;

  Status open(const std::string& path);
  Status close();

  void on_call(int rank, const HostCall& call) override;
  void on_span(int rank, const DeviceSpan& span) override;
  void on_range(int rank, const HostRange& range) override;
  void on_collective(const CollectiveUnit& unit) override;
  void on_step_end(int rank, int step, int64_t time, int64_t dropped_spans) override;
  void on_recording_gap(int rank, int64_t start, int64_t end) override;

 private:
  void write_job();
  void write_injections();
  void write(const std::string& line);

  const JobSpec& spec_;
  std::string path_;
  FILE* file_ = nullptr;
};

}  // namespace tauprof::generator
