#include "pipeline/explain_wait.h"

#include <algorithm>
#include <utility>

#include "metrics/statistics/statistics.h"
#include "metrics/stragglers/rank_blame.h"
#include "metrics/stragglers/wait_chain.h"
#include "model/operation_names.h"
#include "pipeline/visit_traces.h"
#include "report/rank_words.h"

namespace tauprof {
namespace {

Nanoseconds time_in(const RankStep& step, LedgerRow row) {
  Nanoseconds sum = 0;
  for (const LedgerCell& cell : step.cells)
    if (cell.row == row) sum += cell.length;
  return sum;
}

// Of a process, between two instants: the longest time that its threads together were inside of one call, or of none.
class LongestStretch {
 public:
  LongestStretch(const ProcessTrace& trace, uint32_t rank, Interval time, bool is_silent)
      : trace_(trace), rank_(rank), time_(time), is_silent_(is_silent) {}

  std::optional<WhyHost> find() {
    std::vector<uint32_t> calls;
    for (uint32_t i = 0; i < trace_.calls.size(); ++i)
      if (const HostCall& call = trace_.calls[i];
          call.outer == kNoIndex && call.end > time_.start && call.start < time_.end)
        calls.push_back(i);
    std::sort(calls.begin(), calls.end(),
              [&](uint32_t a, uint32_t b) { return trace_.calls[a].start < trace_.calls[b].start; });
    uint32_t last = kNoIndex;  // the call that ends latest so far
    for (const uint32_t call : calls) {
      if (is_silent_ && last != kNoIndex) keep(last, call, trace_.calls[call].start - trace_.calls[last].end);
      if (!is_silent_) keep(call, kNoIndex, trace_.calls[call].end - trace_.calls[call].start);
      if (last == kNoIndex || trace_.calls[call].end > trace_.calls[last].end) last = call;
    }
    return found_;
  }

 private:
  void keep(uint32_t before, uint32_t after, Nanoseconds length) {
    if (length <= (found_ ? found_->ns : 0)) return;
    found_ = WhyHost{name_of_call(before), after == kNoIndex ? "" : name_of_call(after), length, id(before), id(after)};
  }
  std::string name_of_call(uint32_t call) const { return std::string(trace_.names[trace_.calls[call].function]); }
  // As exports number calls.
  int64_t id(uint32_t call) const { return static_cast<int64_t>((uint64_t{rank_} << 32) | call); }

  const ProcessTrace& trace_;
  const uint32_t rank_;
  const Interval time_;
  const bool is_silent_;
  std::optional<WhyHost> found_;
};

class WaitExplanation {
 public:
  WaitExplanation(const ReplayedRun& run, const std::optional<int64_t>& step, WhyReport& report)
      : run_(run), step_(step), report_(report) {}

  void explain(uint32_t rank) {
    const StepSelection& steps = run_.metrics.steps.selection;
    const WaitChain chain =
        wait_chain(run_.ranks, run_.matches, steps, blame_rows(run_.ranks, run_.matches, steps), rank, step_);
    report_.waited_ns = chain.waited_ns;
    report_.waits = chain.waits;
    for (const WaitCharge& charge : chain.charges)
      report_.charges.push_back({number(charge.late_rank), charge.cause, charge.ns});
    if (chain.links.empty()) return;
    for (const ChainLink& link : chain.links) report_.links.push_back(link_of(link));
    report_.first = WhyCharge{number(chain.late_rank), chain.cause, chain.links.back().charged_ns};
    report_.is_cut = chain.is_cut;
    if (chain.late_rank != kNoIndex) explain_cause(chain);
  }

  // The host of the rank to blame, on the way to the last collective of the chain; empty: its device was slow.
  Interval host_time() const { return host_time_; }
  uint32_t late_rank() const { return late_rank_; }

 private:
  std::optional<int32_t> number(uint32_t rank) const {
    return rank == kNoIndex ? std::nullopt : std::optional(run_.ranks[rank].rank);
  }

  const RankCollective* unit(uint32_t match, uint32_t rank) const {
    for (const CollectiveMember& member : run_.matches[match].members)
      if (member.rank == rank) return &run_.ranks[rank].collectives[member.collective];
    return nullptr;
  }

  WhyLink link_of(const ChainLink& link) const {
    WhyLink words;
    words.collective = link.match;
    words.operation = name_of(run_.matches[link.match].operation);
    words.waiter = number(link.waiter);
    words.came_late = run_.ranks[link.came_late].rank;
    words.waited_ns = link.waited_ns;
    words.charged_ns = link.charged_ns;
    const RankCollective& late = *unit(link.match, link.came_late);
    if (late.step != kNoStep) words.step = run_.ranks[link.came_late].steps[late.step].number;
    if (link.waiter != kNoIndex && link.waiter != link.came_late)
      words.after_ns = static_cast<double>(run_.ranks[link.came_late].arrival(late) -
                                           run_.ranks[link.waiter].arrival(*unit(link.match, link.waiter)));
    return words;
  }

  void explain_cause(const WaitChain& chain) {
    const LedgerRow row = shown_in(chain.cause);
    const RankTimeline& late = run_.ranks[chain.late_rank];
    // Host work before a step lies in its device's window of the step before.
    const int64_t number = report_.links.back().step;
    std::optional<WhyCause> most;
    for (const RankStep& step : late.steps) {
      if ((step.number != number && step.number != number - 1) || !step.device ||
          !run_.metrics.steps.selection.has(step.number))
        continue;
      WhyCause cause{step.number, kLedgerRowNames[static_cast<size_t>(row)], time_in(step, row),
                     others(step.number, row, late)};
      const auto weight = [](const WhyCause& of) {
        return std::pair(std::max<Nanoseconds>(0, of.own_ns - of.others_ns), of.own_ns);
      };
      if (!most || weight(cause) > weight(*most)) most = cause;
    }
    if (!most) return;
    most->where = place_of(late.rank, chain.cause);
    report_.cause = most;
    late_rank_ = chain.late_rank;
    if (is_of_host(chain.cause) || chain.cause == Cause::kCpuContention)
      host_time_ = way_to(chain.links.back().match, chain.late_rank);
  }

  Nanoseconds others(int64_t number, LedgerRow row, const RankTimeline& but) const {
    std::vector<Nanoseconds> times;
    for (const RankTimeline& rank : run_.ranks)
      for (const RankStep& step : rank.steps)
        if (rank.rank != but.rank && step.number == number && step.device) times.push_back(time_in(step, row));
    return times.empty() ? 0 : lower_median(times);
  }

  // Where the report says that it lies, if the report names the rank for the same reason.
  std::string place_of(int32_t rank, Cause cause) const {
    for (const auto* const found : {&run_.metrics.stragglers.found, &run_.metrics.stragglers.suspects})
      for (const Straggler& one : *found)
        if (one.rank == rank && one.cause == cause) return one.where;
    return {};
  }

  // Between the launches of the collective before, of the same communicator, and of this one.
  Interval way_to(uint32_t match, uint32_t rank) const {
    const RankCollective* const own = unit(match, rank);
    if (own == nullptr || own->launch_start == 0) return {};
    Nanoseconds since = 0;
    for (const RankCollective& other : run_.ranks[rank].collectives)
      if (other.communicator == own->communicator && other.launch_end <= own->launch_start && &other != own)
        since = std::max(since, other.launch_end);
    return {since, own->launch_start + 1};
  }

  const ReplayedRun& run_;
  const std::optional<int64_t>& step_;
  WhyReport& report_;
  Interval host_time_;
  uint32_t late_rank_ = kNoIndex;
};

std::string numbers_of(const std::vector<int64_t>& numbers) {
  return std::to_string(numbers.front()) +
         (numbers.size() > 1 ? " to " + std::to_string(numbers.back()) : std::string());
}

Status find_rank(const RunChoice& choice, const ReplayedRun& run, int32_t number, uint32_t& index) {
  std::vector<int32_t> known;
  for (index = 0; index < run.ranks.size(); ++index) {
    if (run.ranks[index].rank == number) return Status::ok();
    known.push_back(run.ranks[index].rank);
  }
  return Status::error(choice.name() + ": rank " + std::to_string(number) + " has no log in this run; it has " +
                       ranks_in_words(known));
}

Status check_step(const RunChoice& choice, const ReplayedRun& run, const std::optional<int64_t>& step) {
  if (!step || run.metrics.steps.selection.has(*step)) return Status::ok();
  const std::set<int64_t>& known = run.metrics.steps.selection.numbers;
  return Status::error(choice.name() + ": step " + std::to_string(*step) + " is none of those analysed" +
                       (known.empty() ? "" : ", which are " + numbers_of({known.begin(), known.end()})));
}

void measure_steps(const ReplayedRun& run, uint32_t rank, WhyReport& report) {
  for (const RankStep& step : run.ranks[rank].steps) {
    if (!run.metrics.steps.selection.has(step.number) || !step.device || (report.step && step.number != *report.step))
      continue;
    ++report.steps;
    report.step_ns += static_cast<double>(step.device->length());
  }
}

// Empty: how long it waited is known.
std::string why_unknown(const ReplayedRun& run, uint32_t rank) {
  const RankTimeline& timeline = run.ranks[rank];
  if (!timeline.is_timed()) return timeline.untimed_because;
  if (run.ranks.size() == 1) return run.facts.missing_ranks.empty() ? "" : "its peers have no log";
  const bool is_known =
      timeline.collectives.empty() || std::any_of(timeline.collectives.begin(), timeline.collectives.end(),
                                                  [](const RankCollective& one) { return one.is_split; });
  return is_known ? "" : "waiting and moving data cannot be told apart in its collectives";
}

}  // namespace

Status explain_wait(const RunChoice& choice, int32_t rank, const std::optional<int64_t>& step, WhyReport& report,
                    std::vector<std::string>& notes) {
  ReplayedRun run;
  if (const Status loaded = load_run(choice, run, notes); !loaded.is_ok()) return loaded;
  if (!run.operations.empty())
    return Status::error(choice.name() + ": an operation trace, in which no rank is seen to wait");
  uint32_t index = 0;
  if (const Status found = find_rank(choice, run, rank, index); !found.is_ok()) return found;
  if (const Status known = check_step(choice, run, step); !known.is_ok()) return known;
  report.rank = rank;
  report.run_id = run.facts.id;
  report.step = step;
  report.unit = run.facts.is_by_time() ? "slice" : "step";
  measure_steps(run, index, report);
  report.unknown_because = why_unknown(run, index);
  if (!report.unknown_because.empty()) return Status::ok();
  WaitExplanation explanation(run, step, report);
  explanation.explain(index);
  if (explanation.host_time().is_empty()) return Status::ok();
  SecondReading reading;
  reading.retimings = &run.retimings;
  reading.skips_unreadable = true;
  reading.progress = choice.progress;
  const bool is_silent = report.first->cause != Cause::kHostSync && report.first->cause != Cause::kAllocation;
  return visit_traces(
      run.ranks, {explanation.late_rank()}, reading, [&](size_t late, const ProcessTrace& trace, const DeviceTrace&) {
        report.cause->host =
            LongestStretch(trace, static_cast<uint32_t>(late), explanation.host_time(), is_silent).find();
        return Status::ok();
      });
}

}  // namespace tauprof
