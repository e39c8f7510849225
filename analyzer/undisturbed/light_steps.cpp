#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "limits/analysis_limits.h"
#include "limits/replay_limits.h"
#include "metrics/statistics/autocorrelation.h"
#include "metrics/statistics/distributions.h"
#include "metrics/statistics/statistics.h"
#include "replay/changes.h"
#include "undisturbed/earlier_starts.h"
#include "undisturbed/equal_leads.h"
#include "undisturbed/host_work.h"
#include "undisturbed/undisturbed_run.h"

namespace tauprof {
namespace {

constexpr Nanoseconds kFitted = 10;  // how close the fit of a lag comes

// A process with the work of its steps, and where light steps of it come from.
struct Process {
  size_t rank;                          // index into the run's
  std::map<int64_t, WorkOfStep> steps;  // with device times, by number
  std::map<int64_t, WorkOfStep> light;
};

class LightSteps {
 public:
  LightSteps(RunGraph& run, const std::vector<RankTimeline>& second_run)
      : run_(run), analysed_(run.step_numbers()), has_second_run_(!second_run.empty()) {
    for (const size_t rank : first_ranks(run)) add_process(rank, second_run);
    find_common();
  }

  UndisturbedRun undisturbed() {
    UndisturbedRun result;
    Disturbance& disturbance = result.disturbance;
    if (!reason_.empty() || numbers_.empty()) {
      disturbance.reason = !reason_.empty() ? reason_
                           : has_second_run_
                               ? "the run for the host's times has none of the analysed steps: it is shorter, or "
                                 "makes other calls"
                               : "no step of the analysed ones is without device times";
      return result;
    }
    disturbance.light_step_ns = mean_length(numbers_);
    if (!has_second_run_) disturbance.full_share = share_of_full_steps();
    compare(disturbance);
    if (disturbance.pairs < kFewestPairs) {
      disturbance.reason =
          "full steps that have a light one with the same calls: " + std::to_string(disturbance.pairs) + ", of " +
          std::to_string(kFewestPairs) + " needed";
      if (!has_second_run_ && numbers_.size() >= kFewestPairs) by_one_factor(result);
      return result;
    }
    disturbance.host_factor = factor_;
    const auto halves = halves_of(numbers_);
    const Nanoseconds share = halves[1].empty() ? 0 : fitted_share(halves[0]);
    if (!halves[1].empty()) {
      const double length = mean_length(halves[1]);
      disturbance.error = std::abs(mean_step(replayed(halves[1], share)) - length) / length;
    }
    if (is_nearer_as_recorded(disturbance)) return result;
    result.schedule = replayed(numbers_, share).schedule;
    return result;
  }

 private:
  static std::array<std::vector<int64_t>, 2> halves_of(const std::vector<int64_t>& numbers) {
    std::array<std::vector<int64_t>, 2> halves;
    for (size_t i = 0; i < numbers.size(); ++i) halves[i % 2].push_back(numbers[i]);
    return halves;
  }

  // Whether the recorded steps are nearer to the light ones than a replay that misses them: then they stay as they are.
  static bool is_nearer_as_recorded(Disturbance& disturbance) {
    const double recorded = std::abs(disturbance.full_step_ns.value_or(0) / *disturbance.light_step_ns - 1);
    if (!disturbance.error || *disturbance.error <= std::max(kNearLightSteps, recorded)) return false;
    const auto percent = [](double share) { return std::to_string(std::lround(100 * share)) + " %"; };
    disturbance.reason = "replayed with the host's times of steps without device times, those are off by " +
                         percent(*disturbance.error) + "; as recorded, by " + percent(recorded);
    disturbance.error = disturbance.host_factor = std::nullopt;
    return true;
  }

  // Of light steps that have other calls than full ones, as where CUPTI alone sees launches, only the length counts.
  void by_one_factor(UndisturbedRun& result) const {
    UndisturbedRun scaled = undisturbed_by_step_time(run_, mean_length(numbers_));
    Disturbance& disturbance = result.disturbance;
    if (scaled.schedule.empty()) {
      disturbance.reason += "; by their length alone: " + scaled.disturbance.reason;
      return;
    }
    const auto halves = halves_of(numbers_);
    const double length = mean_length(halves[1]);
    disturbance.reason += "; all of the host's work is scaled by one factor";
    disturbance.full_step_ns = scaled.disturbance.full_step_ns;
    disturbance.host_factor = scaled.disturbance.host_factor;
    disturbance.error = std::abs(mean_length(halves[0]) - length) / length;
    result.schedule = std::move(scaled.schedule);
  }

  void add_process(size_t rank, const std::vector<RankTimeline>& second_run) {
    const ProcessOperations& process = run_.process(rank);
    Process& added = processes_.emplace_back();
    added.rank = rank;
    const auto measured = [&](uint32_t i) {
      const auto& time = run_.measured()[run_.id_of(rank, i)];
      return Interval{time.start, time.end};
    };
    for (WorkOfStep& step : work_of_steps(process, measured, names_)) {
      if (second_run.empty() && step.place.device_times == log::DeviceTimesState::kOff)
        added.light.emplace(step.number, std::move(step));
      else
        added.steps.emplace(step.number, std::move(step));
    }
    if (second_run.empty()) return;
    const auto twin = std::find_if(second_run.begin(), second_run.end(), [&](const RankTimeline& one) {
      return one.rank == run_.rank_number(rank) && one.operations != nullptr;
    });
    if (twin == second_run.end()) {
      reason_ = "the run for the host's times has no rank " + std::to_string(run_.rank_number(rank));
      return;
    }
    const ProcessOperations& other = *twin->operations;
    for (WorkOfStep& step : work_of_steps(
             other, [&](uint32_t i) { return other.times[i]; }, names_))
      added.light.emplace(step.number, std::move(step));
  }

  double share_of_full_steps() const {
    const Process& process = processes_.front();
    const auto full = static_cast<double>(process.steps.size());
    return full / (full + static_cast<double>(process.light.size()));
  }

  // Light steps of all processes, none of the warm-up.
  void find_common() {
    if (analysed_.empty() || processes_.empty()) return;
    for (const auto& [number, step] : processes_.front().light) {
      const bool is_everywhere = std::all_of(processes_.begin(), processes_.end(),
                                             [&, of = number](const Process& one) { return one.light.contains(of); });
      if (is_everywhere && number >= *analysed_.begin() && !step.place.host.is_empty()) numbers_.push_back(number);
    }
    // The last one ends with the log, not with a step.
    if (!numbers_.empty() && numbers_.back() == processes_.front().light.rbegin()->first && is_last(numbers_.back()))
      numbers_.pop_back();
    numbers_ = between_equal_leads(processes_.front().light, numbers_);
  }

  bool is_last(int64_t number) const {
    const std::map<int64_t, WorkOfStep>& steps = processes_.front().steps;
    return steps.empty() || steps.rbegin()->first < number || !processes_.front().light.contains(number + 1);
  }

  // The mean of these light steps on all processes.
  double mean_length(const std::vector<int64_t>& numbers) const {
    std::vector<double> lengths;
    for (const int64_t number : numbers)
      for (const Process& process : processes_)
        lengths.push_back(static_cast<double>(process.light.at(number).place.host.length()));
    return mean_of(lengths);
  }

  // A light step in which each thread of each process makes the calls of a full one; null: there is none among
  // `numbers`. The search starts at `first`.
  const int64_t* partner_of(int64_t full, const std::vector<int64_t>& numbers, size_t first) const {
    for (size_t i = 0; i < std::min(numbers.size(), kMostPartners); ++i) {
      const int64_t& number = numbers[(first + i) % numbers.size()];
      if (std::all_of(processes_.begin(), processes_.end(),
                      [&](const Process& process) { return fits(process, full, process.light.at(number)); }))
        return &number;
    }
    return nullptr;
  }

  // The analysed steps that have device times and tell how long the job's steps are with them.
  std::vector<int64_t> full_ones() const {
    std::vector<int64_t> numbers;
    for (const int64_t number : analysed_)
      if (full_step(processes_.front(), number) != nullptr) numbers.push_back(number);
    return between_equal_leads(processes_.front().steps, numbers);
  }

  static const WorkOfStep* full_step(const Process& process, int64_t number) {
    const auto step = process.steps.find(number);
    return step == process.steps.end() ? nullptr : &step->second;
  }

  static bool fits(const Process& process, int64_t full, const WorkOfStep& light) {
    const WorkOfStep* const step = full_step(process, full);
    if (step == nullptr || step->threads.size() != light.threads.size()) return false;
    std::vector<const WorkOfThread*> taken;
    for (const WorkOfThread& thread : step->threads) {
      taken.push_back(light.like(thread, taken));
      if (taken.back() == nullptr) return false;
    }
    return true;
  }

  // Full steps beside light ones with the same calls: how much slower they are, and how much longer the host's work in
  // them takes.
  void compare(Disturbance& disturbance) {
    std::vector<double> ratios, full_lengths;
    double full_work = 0, light_work = 0;
    size_t turn = 0;
    const std::vector<int64_t> full_steps = full_ones();
    for (const int64_t number : full_steps) {
      const int64_t* const partner = partner_of(number, numbers_, turn++ * numbers_.size() / full_steps.size());
      if (partner == nullptr) continue;
      double full = 0, light = 0;
      for (const Process& process : processes_) {
        const WorkOfStep& step = *full_step(process, number);
        const WorkOfStep& other = process.light.at(*partner);
        full += static_cast<double>(step.place.host.length());
        light += static_cast<double>(other.place.host.length());
        add_work(process, step, other, full_work, light_work);
      }
      ratios.push_back(full / light);
      full_lengths.push_back(full / static_cast<double>(processes_.size()));
    }
    disturbance.pairs = ratios.size();
    factor_ = full_work > 0 ? light_work / full_work : 1;
    if (ratios.size() < kFewestPairs) return;
    disturbance.full_step_ns = mean_of(full_lengths);
    const SeriesMean mean = mean_of_series(ratios);
    const double half = mean.effective_count > 1 ? t_quantile(0.5 + kConfidence / 2, mean.effective_count - 1) *
                                                       std::sqrt(mean.variance_of_mean)
                                                 : INFINITY;
    if (2 * half > kWidestSlowdown) {
      disturbance.reason = "full and light steps vary too much to say by how much they differ";
      return;
    }
    disturbance.slowdown = mean.mean - 1;
    disturbance.low = mean.mean - half - 1;
    disturbance.high = mean.mean + half - 1;
  }

  // The host's own work in a full step and in a light one, call by call.
  void add_work(const Process& process, const WorkOfStep& step, const WorkOfStep& light, double& full_work,
                double& light_work) const {
    std::vector<const WorkOfThread*> taken;
    for (const WorkOfThread& thread : step.threads) {
      taken.push_back(light.like(thread, taken));
      for (size_t i = 0; i < thread.calls.size(); ++i) {
        const WorkOfCall &call = thread.calls[i], &other = taken.back()->calls[i];
        if (!is_own(process, call) || call.has_turn() != other.has_turn()) continue;
        const bool both = is_alike(call, other);
        full_work += static_cast<double>(call.before + (both ? call.inside : 0));
        light_work += static_cast<double>(other.before + (both ? other.inside : 0));
      }
    }
  }

  // A launch that takes so much longer waits for room in the device's queue.
  static bool is_alike(const WorkOfCall& call, const WorkOfCall& light) {
    return !light.waits && light.inside <= std::max(call.inside, kTurnTaken);
  }

  bool is_own(const Process& process, const WorkOfCall& call) const {
    const std::vector<OperationLabel>& operations = run_.process(process.rank).operations;
    return operations[call.operation].row != LedgerRow::kIdleDataWait &&
           operations[call.operation + 1].kind == OperationKind::kCall && !waits_silently(process, call);
  }

  // A silence in which the thread waited for the device: a light step cannot tell how long.
  bool waits_silently(const Process& process, const WorkOfCall& call) const {
    for (const auto& edge : run_.graph().edges(run_.id_of(process.rank, call.operation)))
      if (!is_on_host(run_.kind(edge.before))) return true;
    return false;
  }

  // What the host did in the light step before the call. The one run may show that the thread waited for another where
  // the other does not: then all of its silence is its own in both, or nothing tells.
  static std::optional<Nanoseconds> work_before(const WorkOfCall& call, const WorkOfCall& light) {
    if (call.has_turn() == light.has_turn()) return light.before;
    if (!call.has_turn()) return light.silence;
    return std::nullopt;
  }

  // The run with the host's work of these light steps, and shorter lags.
  ContendedReplay replayed(const std::vector<int64_t>& numbers, Nanoseconds share) const {
    Changes changes(run_);
    changes.start_earlier(share);
    EarlierStarts earlier(run_);
    std::map<int64_t, const int64_t*> partners;
    size_t turn = 0;
    for (const int64_t number : analysed_)
      partners[number] = partner_of(number, numbers, turn++ * numbers.size() / analysed_.size());
    for (const Process& process : processes_)
      for (const auto& [number, step] : process.steps) {
        const auto partner = partners.find(number);
        const bool is_known = partner != partners.end() && partner->second != nullptr;
        put(process, step, is_known ? &process.light.at(*partner->second) : nullptr, changes, earlier);
      }
    earlier.apply(changes);
    return changes.replayed();
  }

  // Gives a full step the host's work of a light one; null: what light steps take of full ones' on average.
  void put(const Process& process, const WorkOfStep& step, const WorkOfStep* light, Changes& changes,
           EarlierStarts& earlier) const {
    std::vector<const WorkOfThread*> taken;
    for (const WorkOfThread& thread : step.threads) {
      taken.push_back(light == nullptr ? nullptr : light->like(thread, taken));
      for (size_t i = 0; i < thread.calls.size(); ++i)
        put(process, thread.calls[i], taken.back() == nullptr ? nullptr : &taken.back()->calls[i], changes, earlier);
    }
  }

  void put(const Process& process, const WorkOfCall& call, const WorkOfCall* light, Changes& changes,
           EarlierStarts& earlier) const {
    const OperationId before = run_.id_of(process.rank, call.operation);
    const OperationId inside = run_.id_of(process.rank, call.operation + 1);
    const std::optional<Nanoseconds> work = light != nullptr ? work_before(call, *light) : std::nullopt;
    if (work && !waits_silently(process, call))
      changes.set_duration(before, *work);
    else if (is_own_work(run_.process(process.rank).operations[call.operation]))
      changes.scale(before, factor_);
    if (call.waits) {
      // How late it returned behind what it waited for is the host's time, too, and undisturbed all of it took no
      // longer.
      const Nanoseconds delay = run_.graph().delay(inside);
      if (light != nullptr && delay > 0) changes.set_delay(inside, std::min(delay, light->inside));
      return earlier.shorten_call(before, call.inside, std::llround(factor_ * static_cast<double>(call.inside)));
    }
    const Nanoseconds length = light != nullptr && is_alike(call, *light)
                                   ? light->inside
                                   : std::llround(factor_ * static_cast<double>(call.inside));
    changes.set_duration(inside, length);
    earlier.shorten_call(before, call.inside, length);
  }

  // Of the analysed steps but the log's last one, which ends with its work: no step comes for which the host would
  // wait.
  double mean_step(const ContendedReplay& replay) const {
    const int64_t last = processes_.front().steps.rbegin()->first;
    const std::vector<double> lengths = run_.step_lengths(replay.schedule);
    std::vector<double> whole;
    size_t i = 0;
    for (const int64_t number : analysed_) {
      if (number != last || lengths.size() == 1) whole.push_back(lengths[i]);
      ++i;
    }
    return mean_of(whole);
  }

  // The part of lags that makes the prediction of these light steps right: half of the least that is too much, and so
  // on.
  Nanoseconds fitted_share(const std::vector<int64_t>& numbers) const {
    const double length = mean_length(numbers);
    Nanoseconds least = 0, most = kMostLagOfRecording;
    if (mean_step(replayed(numbers, least)) <= length) return least;
    if (mean_step(replayed(numbers, most)) >= length) return most;
    while (most - least > kFitted) {
      const Nanoseconds middle = (least + most) / 2;
      (mean_step(replayed(numbers, middle)) > length ? least : most) = middle;
    }
    return least;
  }

  RunGraph& run_;
  CallNames names_;
  std::set<int64_t> analysed_;
  std::vector<Process> processes_;
  std::vector<int64_t> numbers_;  // of light steps
  const bool has_second_run_;
  double factor_ = 1;
  std::string reason_;
};

}  // namespace

bool has_light_steps(const RunGraph& run) {
  for (size_t rank = 0; rank < run.rank_count(); ++rank)
    for (const StepPlace& step : run.process(rank).places.steps)
      if (step.device_times == log::DeviceTimesState::kOff) return true;
  return false;
}

UndisturbedRun undisturbed_by_light_steps(RunGraph& run, const std::vector<RankTimeline>& second_run) {
  UndisturbedRun result = LightSteps(run, second_run).undisturbed();
  if (!result.schedule.empty())
    result.disturbance.source = second_run.empty() ? HostSource::kLight : HostSource::kSecondRun;
  return result;
}

}  // namespace tauprof
