// Passes the events of a simulated job on to several observers.
#pragma once

#include <vector>

#include "job_events.h"

namespace tauprof::generator {

class ObserverList : public JobObserver {
 public:
  void add(JobObserver& observer) { observers_.push_back(&observer); }

  void on_call(int rank, const HostCall& call) override {
    for (JobObserver* observer : observers_) observer->on_call(rank, call);
  }
  void on_span(int rank, const DeviceSpan& span) override {
    for (JobObserver* observer : observers_) observer->on_span(rank, span);
  }
  void on_range(int rank, const HostRange& range) override {
    for (JobObserver* observer : observers_) observer->on_range(rank, range);
  }
  void on_collective(const CollectiveUnit& unit) override {
    for (JobObserver* observer : observers_) observer->on_collective(unit);
  }
  void on_step_end(int rank, int step, int64_t time, int64_t dropped_spans) override {
    for (JobObserver* observer : observers_) observer->on_step_end(rank, step, time, dropped_spans);
  }
  void on_recording_gap(int rank, int64_t start, int64_t end) override {
    for (JobObserver* observer : observers_) observer->on_recording_gap(rank, start, end);
  }

 private:
  std::vector<JobObserver*> observers_;
};

}  // namespace tauprof::generator
