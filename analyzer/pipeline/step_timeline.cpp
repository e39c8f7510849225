#include "pipeline/step_timeline.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "limits/analysis_limits.h"
#include "limits/timeline_limits.h"
#include "pipeline/arrival_waits.h"
#include "pipeline/shown_steps.h"
#include "pipeline/timeline_parts.h"
#include "pipeline/visit_traces.h"

namespace tauprof {
namespace {

class TimelineBuild {
 public:
  TimelineBuild(const ReplayedRun& run, const Report& report, const PhaseRules& rules, Progress* progress)
      : run_(run), rules_(rules), progress_(progress) {
    chosen_ = choose_ranks(run, report, timeline_.ranks_left_out);
    const size_t most_steps = kMostShownRankSteps / std::max<size_t>(1, chosen_.size());
    steps_ = with_other_steps(choose_steps(report), report, most_steps, timeline_.steps_left_out);
    spans_.resize(chosen_.size());
    timeline_.caused = caused_waiting(report);
    timeline_.telemetry = shown_telemetry(run, report, chosen_);
  }

  PageTimeline build() {
    if (steps_.empty() || chosen_.empty()) return std::move(timeline_);
    read_spans();
    place_ranks();
    for (size_t step = 0; step < steps_.size(); ++step) add_step(step);
    place_waits();
    for (size_t step = 0; step < steps_.size(); ++step) start_at_zero(step);
    shorten_steps(timeline_);
    return std::move(timeline_);
  }

 private:
  // Of the shown steps; empty where the rank does not have one.
  std::vector<Interval> windows_of(const RankTimeline& rank) const {
    std::unordered_map<int64_t, Interval> windows;
    for (const RankStep& step : rank.steps)
      if (step.device) windows.emplace(step.number, *step.device);
    std::vector<Interval> shown;
    for (const StepChoice& step : steps_) {
      const auto found = windows.find(step.number);
      shown.push_back(found == windows.end() ? Interval{} : found->second);
    }
    return shown;
  }

  // Spans of a rank in each step: those that are shown for a reason get a page's, all others what lies beside it.
  std::vector<size_t> most_spans() const {
    size_t with_reason = 0;
    for (const StepChoice& step : steps_) with_reason += step.because.empty() ? 0 : 1;
    const size_t beside = kMostSpansBeside / (chosen_.size() * steps_.size());
    const size_t at_once = kMostShownSpans / (chosen_.size() * std::max<size_t>(1, with_reason));
    std::vector<size_t> most;
    for (const StepChoice& step : steps_) most.push_back(step.because.empty() ? beside : at_once);
    return most;
  }

  // A rank whose log is no longer what it was has empty rows. What is wrong with it was said when it was read first.
  void read_spans() {
    std::vector<size_t> position_of(run_.ranks.size());
    for (size_t i = 0; i < chosen_.size(); ++i) position_of[chosen_[i]] = i;
    const std::vector<size_t> most = most_spans();
    SecondReading reading;
    reading.rules = &rules_;
    reading.retimings = &run_.retimings;
    reading.is_parallel = true;
    reading.skips_unreadable = true;
    reading.progress = progress_;
    const auto visit = [&](size_t rank, const ProcessTrace& trace, const DeviceTrace& device) {
      spans_[position_of[rank]] =
          spans_of_rank(trace, device, rules_, run_.ranks[rank].run_clock, windows_of(run_.ranks[rank]), most);
      return Status::ok();
    };
    static_cast<void>(visit_traces(run_.ranks, chosen_, reading, visit));
  }

  void place_ranks() {
    position_of_.assign(run_.ranks.size(), kNone);
    for (size_t position = 0; position < chosen_.size(); ++position) {
      position_of_[chosen_[position]] = position;
      first_row_.push_back(static_cast<uint32_t>(timeline_.rows.size()));
      timeline_.ranks.push_back(run_.ranks[chosen_[position]].rank);
      timeline_.hosts.push_back(run_.ranks[chosen_[position]].host);
      timeline_.ranges_left_out += spans_[position].ranges_left_out;
      timeline_.spans_left_out += spans_[position].spans_left_out;
      windows_.push_back(windows_of(run_.ranks[chosen_[position]]));
      for (const RankSpans::Row& row : spans_[position].rows)
        timeline_.rows.push_back({static_cast<uint32_t>(position), row.label, row.group, row.lane});
      std::vector<uint32_t>& shared = shared_names_.emplace_back();
      for (const std::string& name : spans_[position].names) shared.push_back(shared_name(name));
    }
  }

  uint32_t shared_name(const std::string& name) {
    const auto known = names_.find(name);
    if (known != names_.end()) return known->second;
    if (text_ + name.size() > kMostShownText) return kNoShownName;
    text_ += name.size();
    const auto index = static_cast<uint32_t>(timeline_.names.size());
    timeline_.names.push_back(name);
    names_.emplace(name, index);
    return index;
  }

  void add_step(size_t index) {
    ShownStep& step = timeline_.steps.emplace_back();
    step.number = steps_[index].number;
    step.because = steps_[index].because;
    for (size_t position = 0; position < chosen_.size(); ++position) {
      const RankTimeline& rank = run_.ranks[chosen_[position]];
      const Interval window = windows_[position][index];
      std::optional<Interval>& shown = step.windows.emplace_back();
      if (!window.is_empty()) shown = {rank.run_clock.to_run(window.start), rank.run_clock.to_run(window.end)};
      RankSpans& spans = spans_[position];
      for (size_t row = 0; row < spans.rows.size(); ++row) {
        for (ShownSpan& span : spans.steps[index][row])
          if (span.name != kNoShownName) span.name = shared_names_[position][span.name];
        step.rows.push_back(std::move(spans.steps[index][row]));
      }
      if (spans.merged.empty()) continue;
      step.merged += spans.merged[index];
      step.merged_below = std::max(step.merged_below, spans.merged_below[index]);
    }
  }

  void place_waits() {
    const size_t most_beside = kMostWaitsBeside / steps_.size();
    for (const ArrivalWait& wait : waits_in(run_, steps_)) {
      ShownStep& step = timeline_.steps[wait.step];
      const uint32_t row = row_of(wait.rank, wait.start), for_row = row_of(wait.for_rank, wait.arrival);
      if (row == kNoIndex || for_row == kNoIndex) continue;
      if (step.waits.size() >= (step.because.empty() ? std::min(kMostShownWaits, most_beside) : kMostShownWaits)) {
        ++step.waits_left_out;
        continue;
      }
      step.waits.push_back({row, run_.ranks[wait.rank].run_clock.to_run(wait.start), wait.length, for_row,
                            run_.ranks[wait.for_rank].run_clock.to_run(wait.arrival), wait.is_at_most});
    }
  }

  // Where a rank's part of a collective is drawn; kNoIndex: nowhere.
  uint32_t row_of(uint32_t rank, Nanoseconds start) const {
    const size_t position = position_of_[rank];
    if (position == kNone) return kNoIndex;
    const std::vector<RankSpans::CommStart>& starts = spans_[position].comm_starts;
    const auto found = std::lower_bound(starts.begin(), starts.end(), RankSpans::CommStart{start, 0});
    if (found == starts.end() || found->first != start) return kNoIndex;
    return first_row_[position] + found->second;
  }

  void start_at_zero(size_t index) {
    ShownStep& step = timeline_.steps[index];
    Nanoseconds origin = std::numeric_limits<Nanoseconds>::max(), end = std::numeric_limits<Nanoseconds>::min();
    for (const std::optional<Interval>& window : step.windows)
      if (window) origin = std::min(origin, window->start), end = std::max(end, window->end);
    if (end < origin) return;
    step.length = end - origin;
    for (std::optional<Interval>& window : step.windows)
      if (window) window = {window->start - origin, window->end - origin};
    for (std::vector<ShownSpan>& row : step.rows)
      for (ShownSpan& span : row) span.start -= origin;
    for (ShownWait& wait : step.waits) wait.start -= origin, wait.arrival -= origin;
  }

  static constexpr size_t kNone = ~size_t{0};
  const ReplayedRun& run_;
  const PhaseRules& rules_;
  Progress* const progress_;
  std::vector<StepChoice> steps_;
  std::vector<uint32_t> chosen_;                     // indices of ranks
  std::vector<RankSpans> spans_;                     // as chosen_
  std::vector<size_t> position_of_;                  // in chosen_, by index of the rank
  std::vector<uint32_t> first_row_;                  // as chosen_
  std::vector<std::vector<uint32_t>> shared_names_;  // as chosen_
  std::vector<std::vector<Interval>> windows_;       // as chosen_, by step
  std::unordered_map<std::string, uint32_t> names_;
  size_t text_ = 0;
  PageTimeline timeline_;
};

}  // namespace

PageTimeline step_timeline(const ReplayedRun& run, const Report& report, const PhaseRules& rules, Progress* progress) {
  return TimelineBuild(run, report, rules, progress).build();
}

}  // namespace tauprof
