#include "metrics/ledger/hta_breakdown.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace tauprof {
namespace {

enum class Kind { kComputation, kCommunication, kNeither };

// HTA's patterns: ^nccl.*|hip|hccl or ncclKernel anywhere; Memcpy, Memset, dma; …Sync, Stream Wait Event.
Kind kind_of(std::string_view name) {
  const auto starts = [&](std::string_view text) { return name.starts_with(text); };
  if (starts("nccl") || starts("hip") || starts("hccl") || name.find("ncclKernel") != name.npos)
    return Kind::kCommunication;
  if (starts("Memcpy") || starts("Memset") || starts("dma")) return Kind::kNeither;
  if (name.ends_with("Sync") || starts("Stream Wait Event") || name.ends_with("Synchronize")) return Kind::kNeither;
  return Kind::kComputation;
}

int64_t floor_us(Nanoseconds time) { return time >= 0 ? time / 1000 : -((-time + 999) / 1000); }
int64_t ceil_us(Nanoseconds time) { return -floor_us(-time); }

struct Stretch {
  int64_t start;
  int64_t end;
};

// The union of intervals that are added by start.
class Merged {
 public:
  void add(Stretch next) {
    if (!stretches_.empty() && next.start <= stretches_.back().end)
      stretches_.back().end = std::max(stretches_.back().end, next.end);
    else
      stretches_.push_back(next);
  }
  int64_t length() const {
    int64_t sum = 0;
    for (const Stretch& s : stretches_) sum += s.end - s.start;
    return sum;
  }
  bool is_empty() const { return stretches_.empty(); }
  int64_t extent() const { return stretches_.back().end - stretches_.front().start; }
  int64_t intersection(const Merged& other) const {
    int64_t sum = 0;
    for (size_t i = 0, j = 0; i < stretches_.size() && j < other.stretches_.size();) {
      const int64_t start = std::max(stretches_[i].start, other.stretches_[j].start);
      const int64_t end = std::min(stretches_[i].end, other.stretches_[j].end);
      if (end > start) sum += end - start;
      if (stretches_[i].end < other.stretches_[j].end)
        ++i;
      else
        ++j;
    }
    return sum;
  }

 private:
  std::vector<Stretch> stretches_;
};

// The start of the last ProfilerStep#N where there are two or more, else the end of time.
int64_t window_end_us(const ProcessTrace& trace) {
  std::set<std::string_view> names;
  int64_t last = INT64_MIN;
  for (const HostRange& range : trace.ranges) {
    if (range.source != log::RangeSource::kAnnotation) continue;
    const std::string_view name = trace.names[range.name];
    if (name.find("ProfilerStep") == name.npos) continue;
    names.insert(name);
    last = std::max(last, ceil_us(range.start));
  }
  return names.size() >= 2 ? last : INT64_MAX;
}

double rounded_percent(int64_t part, int64_t whole) {
  return std::nearbyint(10000.0 * static_cast<double>(part) / static_cast<double>(whole)) / 100.0;
}

}  // namespace

HtaBreakdown hta_breakdown(const ProcessTrace& trace, const DeviceTrace& device) {
  const int64_t window_end = window_end_us(trace);
  std::vector<signed char> kinds(trace.names.size(), -1);
  Merged all, computation, communication;
  for (const DeviceSpan& span : device.spans) {
    if (span.call != kNoIndex ? ceil_us(trace.calls[span.call].start) >= window_end : window_end != INT64_MAX) continue;
    if (kinds[span.name] < 0) kinds[span.name] = static_cast<signed char>(kind_of(trace.names[span.name]));
    const auto kind = static_cast<Kind>(kinds[span.name]);
    const Stretch stretch{ceil_us(span.start), floor_us(span.end)};
    all.add(stretch);
    if (kind == Kind::kComputation) computation.add(stretch);
    if (kind == Kind::kCommunication) communication.add(stretch);
  }
  HtaBreakdown result;
  if (all.is_empty()) return result;
  result.is_defined = true;
  result.is_a_step_short = window_end != INT64_MAX && trace.attributes.count("hta.steps_without_stream") != 0;
  result.kernel_time_us = all.extent();
  result.idle_time_us = result.kernel_time_us - all.length();
  result.compute_time_us = computation.length();
  result.non_compute_time_us = result.kernel_time_us - result.compute_time_us - result.idle_time_us;
  result.has_overlap = communication.length() > 0;
  if (result.has_overlap)
    result.overlap_percent = rounded_percent(computation.intersection(communication), communication.length());
  return result;
}

}  // namespace tauprof
