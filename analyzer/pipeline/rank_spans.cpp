#include "pipeline/rank_spans.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "html/span_merge.h"
#include "limits/analysis_limits.h"
#include "metrics/ledger/idle_cause.h"

namespace tauprof {
namespace {

ShownKind kind_of(SpanClass span_class) {
  switch (span_class) {
    case SpanClass::kCompute:
      return ShownKind::kCompute;
    case SpanClass::kFused:
      return ShownKind::kFused;
    case SpanClass::kComm:
      return ShownKind::kComm;
    case SpanClass::kCopy:
      return ShownKind::kCopy;
    default:
      return ShownKind::kUnclassified;
  }
}

class SpanCollector {
 public:
  SpanCollector(const ProcessTrace& trace, const DeviceTrace& device, const ClockMap& clock,
                const std::vector<Interval>& windows)
      : trace_(trace), device_(device), clock_(clock), windows_(windows) {
    result_.steps.resize(windows.size());
  }

  RankSpans collect(size_t most) {
    choose_rows();
    for (std::vector<std::vector<ShownSpan>>& rows : result_.steps) rows.resize(result_.rows.size());
    add_device_spans();
    add_host_calls();
    std::sort(result_.comm_starts.begin(), result_.comm_starts.end());
    for (std::vector<std::vector<ShownSpan>>& rows : result_.steps) {
      const SpanMerge merge = merge_short_spans(rows, most);
      result_.merged.push_back(merge.merged);
      result_.merged_below.push_back(merge.below);
    }
    return std::move(result_);
  }

 private:
  static constexpr uint32_t kNoRow = 0xFFFFFFFF;

  bool is_in(const Interval& window, Nanoseconds start, Nanoseconds end) const {
    return !window.is_empty() && start < window.end && end > window.start;
  }

  // The host's first, then the streams with the most time in the steps, in the order of their numbers.
  void choose_rows() {
    thread_ = training_thread();
    if (thread_ != kNoIndex) result_.rows.push_back({"host", true});
    std::map<uint32_t, Nanoseconds> busy;
    for (const DeviceSpan& span : device_.spans)
      if (span.span_class != SpanClass::kNotWork)
        for (const Interval& window : windows_)
          if (is_in(window, span.start, span.end)) busy[span.stream] += span.end - span.start;
    std::vector<std::pair<Nanoseconds, uint32_t>> streams;
    for (const auto& [stream, time] : busy) streams.emplace_back(time, stream);
    std::sort(streams.rbegin(), streams.rend());
    if (streams.size() > kMostShownStreams) streams.resize(kMostShownStreams);
    std::sort(streams.begin(), streams.end(), [&](const auto& a, const auto& b) {
      return number_of(a.second) != number_of(b.second) ? number_of(a.second) < number_of(b.second)
                                                        : a.second < b.second;
    });
    row_of_stream_.assign(device_.streams.size(), kNoRow);
    for (const auto& [time, stream] : streams) {
      row_of_stream_[stream] = static_cast<uint32_t>(result_.rows.size());
      result_.rows.push_back({label_of(device_.streams[stream]), false});
    }
  }
  static std::string label_of(const DeviceStream& stream) {
    const std::string number = "stream " + std::to_string(stream.number);
    return stream.device < 0 ? number : "device " + std::to_string(stream.device) + ", " + number;
  }
  int64_t number_of(uint32_t stream) const { return device_.streams[stream].number; }

  uint32_t training_thread() const {
    for (const HostStep& step : trace_.steps)
      if (step.thread >= 0) return static_cast<uint32_t>(step.thread);
    for (uint32_t i = 0; i < trace_.threads.size(); ++i)
      if (trace_.threads[i].is_main) return i;
    return kNoIndex;
  }

  void add_device_spans() {
    for (const DeviceSpan& span : device_.spans) {
      if (span.span_class == SpanClass::kNotWork || row_of_stream_[span.stream] == kNoRow) continue;
      const uint32_t row = row_of_stream_[span.stream];
      if (add(row, span.start, span.end, span.name, kind_of(span.span_class)) && span.span_class == SpanClass::kComm)
        result_.comm_starts.emplace_back(span.start, row);
    }
  }

  // Calls inside of others are part of them.
  void add_host_calls() {
    if (thread_ == kNoIndex || thread_ + 1 >= trace_.first_call.size()) return;
    for (uint32_t i = trace_.first_call[thread_]; i < trace_.first_call[thread_ + 1]; ++i) {
      const HostCall& call = trace_.calls[i];
      if (call.outer != kNoIndex) continue;
      add(0, call.start, call.end, call.function, tells_its_row(call) ? ShownKind::kHostBlocked : ShownKind::kHostCall);
    }
  }

  bool add(uint32_t row, Nanoseconds start, Nanoseconds end, NameId name, ShownKind kind) {
    bool is_shown = false;
    for (size_t step = 0; step < windows_.size(); ++step) {
      if (!is_in(windows_[step], start, end)) continue;
      result_.steps[step][row].push_back({clock_.to_run(start), end - start, shown_name(name), 1, kind});
      is_shown = true;
    }
    return is_shown;
  }

  uint32_t shown_name(NameId name) {
    const auto [known, is_new] = names_.try_emplace(name, static_cast<uint32_t>(result_.names.size()));
    if (is_new) result_.names.emplace_back(trace_.names[name].substr(0, kLongestShownName));
    return known->second;
  }

  const ProcessTrace& trace_;
  const DeviceTrace& device_;
  const ClockMap& clock_;
  const std::vector<Interval>& windows_;
  RankSpans result_;
  uint32_t thread_ = kNoIndex;
  std::vector<uint32_t> row_of_stream_;
  std::unordered_map<NameId, uint32_t> names_;
};

}  // namespace

RankSpans spans_of_rank(const ProcessTrace& trace, const DeviceTrace& device, const ClockMap& clock,
                        const std::vector<Interval>& windows, size_t most) {
  return SpanCollector(trace, device, clock, windows).collect(most);
}

}  // namespace tauprof
