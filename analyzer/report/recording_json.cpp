#include <algorithm>
#include <charconv>

#include "limits/analysis_limits.h"
#include "report/json_sections.h"

namespace tauprof {

Fields<RunFacts> fields_of(const RunFacts*) {
  return {
      "Run",
      "What was recorded",
      {
          {"id", known(&RunFacts::id), "the run's id"},
          {"ranks", &RunFacts::ranks, "ranks with a log"},
          {"world_size", [](const RunFacts& r) { return when(r.world_size > 0, r.world_size); },
           "ranks of the job; `null` if not known"},
          {"missing_ranks", &RunFacts::missing_ranks, "those of the job without a log"},
          {"hosts", [](const RunFacts& r) { return r.hosts.size(); }, "how many hosts; imported traces name none"},
          {"host_names", &RunFacts::hosts, "their names"},
          {"devices", &RunFacts::devices, "the different models of devices"},
          {"device_count", &RunFacts::device_count,
           "devices of all ranks; more than `ranks` where a process drives several that share no communicator"},
          {"started",
           [](const RunFacts& r) { return when(r.started_realtime_ns != 0, iso_time(r.started_realtime_ns)); },
           "UTC, of the earliest log; `null` if not known"},
          {"source", &RunFacts::source, "`preload`, `kineto`, `nsys`, `ops-csv`"},
          {"command", known(&RunFacts::command), "as recorded"},
          {"versions", &RunFacts::versions,
           "of what the processes had loaded, by name: `tauprof`, `cuda_runtime`, `cuda_driver`, `cublas`, `cublaslt`, "
           "`nccl`, `cupti`, `python`; where the ranks' differ, all of them. Empty for imported traces"},
      }};
}

namespace {

// "true", "4" and "AdamW" as what they mean.
Json setting(const std::string& value) {
  if (value == "true" || value == "false") return value == "true";
  int64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, number);
  return error == std::errc() && rest == end ? Json(number) : Json(valid_utf8(value));
}

// Where ranks differ: the least and the greatest number, or each value with its ranks.
Json setting(const std::map<std::string, std::vector<int32_t>>& values) {
  if (values.size() == 1) return setting(values.begin()->first);
  Json of_value = Json::array(), numbers = Json::array();
  for (const auto& [value, ranks] : values) {
    const Json one = setting(value);
    if (one.is_number()) numbers.push_back(one);
    of_value.push_back({{"value", one}, {"ranks", ranks}});
  }
  if (numbers.size() < of_value.size()) return {{"by_rank", of_value}};
  const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
  return {{"min", *least}, {"max", *greatest}};
}

}  // namespace

std::optional<Named<Named<Json>>> settings_by_group(const RunFacts& facts) {
  if (facts.settings.empty()) return std::nullopt;
  Named<Named<Json>> groups;
  for (const auto& [name, values] : facts.settings) {
    const size_t dot = name.find('.');
    if (dot == name.npos) continue;
    const std::string group = name.substr(0, dot);
    auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.first == group; });
    if (found == groups.end()) found = groups.insert(found, {group, {}});
    found->second.emplace_back(name.substr(dot + 1), setting(values));
  }
  return groups;
}

struct Files {
  const RunFacts& facts;
};

Fields<Files> fields_of(const Files*) {
  return {"Files",
          "The logs of the run",
          {
              {"read", [](const Files& f) { return f.facts.files_read; }, "logs analysed"},
              {"damaged", [](const Files& f) { return f.facts.files_damaged; }, "of those, with damage"},
              {"skipped", [](const Files& f) { return f.facts.files_skipped; },
               "other files, and logs of which nothing could be used"},
              {"cut_short", [](const Files& f) { return f.facts.files_cut_short; }, "of the logs, without an end"},
          }};
}

struct UnclassifiedKernel {
  const KernelMetrics& kernel;
};

Fields<UnclassifiedKernel> fields_of(const UnclassifiedKernel*) {
  return {"UnclassifiedKernel",
          "Device work of which nobody knows what it is for",
          {
              {"name", [](const UnclassifiedKernel& k) { return k.kernel.name; }, "its name"},
              {"count", [](const UnclassifiedKernel& k) { return k.kernel.count; },
               "how often it ran in the analysed steps"},
              {"ns", [](const UnclassifiedKernel& k) { return k.kernel.total; }, "for how long, in all"},
          }};
}

namespace {

auto part(Nanoseconds RecorderCost::*time) {
  return [time](const RecorderCost& cost) { return when(cost.has_parts, cost.*time); };
}

std::vector<std::string_view> not_included(const RecorderCost& cost) {
  std::vector<std::string_view> missing;
  if (!cost.has_parts) missing = {"events", "cupti", "stacks", "end"};
  if (!cost.is_without_cupti) missing.push_back("inside_cupti");
  return missing;
}

}  // namespace

Fields<RecorderCost> fields_of(const RecorderCost*) {
  return {"RecorderCost",
          "What recording cost the application's threads, in parts of which no time counts twice",
          {
              {"start_and_calls_ns", &RecorderCost::start_and_calls,
               "starting to record, and the cost of a recorded call, measured at the start, times their number"},
              {"events_ns", part(&RecorderCost::events),
               "making and recording CUDA events; `null`, as the next three, if a log is of an older recorder"},
              {"cupti_ns", part(&RecorderCost::cupti),
               "the recorder's calls of CUPTI after the start, and CUPTI's calls of the recorder"},
              {"stacks_ns", part(&RecorderCost::stacks), "taking stacks"},
              {"end_ns", part(&RecorderCost::end), "waiting for the recorder at the end of the process"},
              {"not_included", not_included,
               "what the sum lacks: `inside_cupti`, what CUPTI adds inside of CUDA's calls, where CUPTI was used; "
               "`events`, `cupti`, `stacks`, `end` if a log is of an older recorder, which did not measure them"},
          }};
}

struct SplitCollectives {
  const RunMetrics& run;
};

namespace {

template <class T>
auto of_waits(T WaitQuality::*member) {
  return [member](const SplitCollectives& c) { return c.run.communication.waits.*member; };
}

}  // namespace

Fields<SplitCollectives> fields_of(const SplitCollectives*) {
  return {"SplitCollectives",
          "How many collectives could be split into waiting and transferring",
          {
              {"split", of_waits(&WaitQuality::split), "these"},
              {"by_length", of_waits(&WaitQuality::by_length), "of those, by lengths alone"},
              {"incomplete", of_waits(&WaitQuality::incomplete), "a member's log is missing or lacks it"},
              {"contradicting", of_waits(&WaitQuality::contradicting), "a member ended before another started"},
              {"not_together", of_waits(&WaitQuality::not_together), "communicators whose members do not end together"},
              {"in_graphs", [](const SplitCollectives& c) { return c.run.communication.collectives_in_graphs; },
               "units in CUDA graphs, without device times"},
              {"clocks_agree", of_waits(&WaitQuality::clocks_agree), "few enough contradict"},
          }};
}

Fields<WaitQuality> fields_of(const WaitQuality*) {
  return {
      "NcclSplit",
      "What NCCL itself reports of waits",
      {
          {"collectives", &WaitQuality::by_nccl, "that are split by it"},
          {"compared_waits", &WaitQuality::compared_waits, "members' waits that clocks or lengths tell as well"},
          {"mean_difference_ns", [](const WaitQuality& w) { return when(w.compared_waits > 0, w.mean_difference()); },
           "by how much these differ from NCCL's; `null` without any"},
          {"most_difference_ns", [](const WaitQuality& w) { return when(w.compared_waits > 0, w.most_difference); },
           "and at most"},
      }};
}

Fields<ClockAlignment> fields_of(const ClockAlignment*) {
  return {"ClockEvidence",
          "What the ranks' clocks were aligned by",
          {
              {"events", &ClockAlignment::events, "collectives and messages between ranks of different clocks"},
              {"contradicting", &ClockAlignment::dropped, "of those, dropped because they contradict the others"},
          }};
}

struct UntimedRanks {
  const std::vector<int32_t>& ranks;
  const std::string& reason;
};

Fields<UntimedRanks> fields_of(const UntimedRanks*) {
  return {"UntimedRanks",
          "Ranks whose logs have no device times though they launched work",
          {
              {"ranks", [](const UntimedRanks& u) { return u.ranks; }, "these"},
              {"reason", [](const UntimedRanks& u) { return u.reason; }, "why"},
          }};
}

Fields<RankGap> fields_of(const RankGap*) {
  return {"Gap",
          "When nothing was recorded",
          {
              {"rank", &RankGap::rank, "whose log has it"},
              {"start_ns", [](const RankGap& g) { return g.gap.time.start; }, "on that log's clock"},
              {"duration_ns", [](const RankGap& g) { return g.gap.time.length(); }, "how long"},
              {"scope", [](const RankGap& g) { return g.gap.scope; }, "what was not recorded"},
              {"reason", [](const RankGap& g) { return g.gap.reason; }, "why"},
          }};
}

Fields<ImplausibleValue> fields_of(const ImplausibleValue*) {
  return {"ImplausibleNumber",
          "Numbers in the logs that no job can have",
          {
              {"what", &ImplausibleValue::what, "was claimed"},
              {"first", &ImplausibleValue::value, "the first such number"},
              {"rows", &ImplausibleValue::count, "how many claim one"},
          }};
}

namespace {

std::vector<UnclassifiedKernel> unclassified(const QualityOfRun& quality) {
  std::vector<UnclassifiedKernel> kernels;
  for (const KernelMetrics& kernel : quality.metrics.work.kernels)
    if (kernel.span_class == SpanClass::kUnclassified) kernels.push_back({kernel});
  return kernels;
}

std::vector<UntimedRanks> untimed(const QualityOfRun& quality) {
  std::vector<UntimedRanks> ranks;
  for (const auto& [reason, those] : quality.facts.untimed_ranks) ranks.push_back({those, reason});
  return ranks;
}

std::vector<RankGap> first_gaps(const QualityOfRun& quality) {
  const std::vector<RankGap>& gaps = quality.facts.gaps;
  return {gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(gaps.size(), kMostGaps))};
}

OrAbsent<size_t> gaps_left_out(const QualityOfRun& quality) {
  const size_t gaps = quality.facts.gaps.size();
  return when(gaps > kMostGaps, gaps - std::min<size_t>(gaps, kMostGaps));
}

OrAbsent<std::vector<ImplausibleValue>> not_believed(const QualityOfRun& quality) {
  std::vector<ImplausibleValue> numbers;
  for (const auto& [what, value] : quality.facts.implausible_values) numbers.push_back(value);
  return when(!numbers.empty(), numbers);
}

template <class T>
auto of_facts(T RunFacts::*member) {
  return [member](const QualityOfRun& quality) { return quality.facts.*member; };
}

}  // namespace

Fields<QualityOfRun> fields_of(const QualityOfRun*) {
  return {
      "Quality",
      "How well the run was recorded. Counts are over all logs of the run, whatever `--ranks` and `--steps` say",
      {
          {"events", of_facts(&RunFacts::events), "host calls and device spans; ranges are not counted"},
          {"dropped", [](const QualityOfRun& q) { return q.facts.dropped_total(); },
           "records that the recorder or importer gave up, and those with impossible times"},
          {"dropped_by_reason", of_facts(&RunFacts::dropped), "the same by reason"},
          {"files", [](const QualityOfRun& q) { return Files{q.facts}; }, "how many"},
          {"bytes", of_facts(&RunFacts::bytes), "size of the logs"},
          {"lost_records", of_facts(&RunFacts::lost_records), "lost to damage"},
          {"lost_bytes", of_facts(&RunFacts::lost_bytes), "lost to damage"},
          {"unmatched_spans", of_facts(&RunFacts::unmatched_spans), "device spans without a recorded launch"},
          {"unclassified_kernels", unclassified, "in the analysed steps"},
          {"clamped_latencies", of_facts(&RunFacts::clamped_latencies),
           "device spans that start before their launch call, because the clocks of host and device differ a little"},
          {"profiler_ns_on_app_threads",
           [](const QualityOfRun& q) { return when(q.facts.cost.is_known, q.facts.cost.total()); },
           "what recording cost the application's threads: the sum of the parts that are known; `null` for imported "
           "traces"},
          {"profiler_cost", [](const QualityOfRun& q) { return when(q.facts.cost.is_known, q.facts.cost); },
           "its parts; `null` for imported traces"},
          {"steps_outside", [](const QualityOfRun& q) { return q.metrics.steps.selection.outside; },
           "steps that `--steps` left out"},
          {"collectives", [](const QualityOfRun& q) { return SplitCollectives{q.metrics}; }, "of the whole run"},
          {"clocks", [](const QualityOfRun& q) { return q.metrics.clocks.alignment; }, "of all ranks"},
          {"no_device_times", untimed, "by reason; empty if there are none"},
          {"gaps", first_gaps, "only the JSON report has them"},
          {"nccl_split",
           [](const QualityOfRun& q) {
             return OrAbsent(when(q.metrics.communication.waits.by_nccl > 0, q.metrics.communication.waits));
           },
           "only where it reports some"},
          {"not_believed", not_believed, "only where there are some"},
          {"gaps_left_out", gaps_left_out, "how many more gaps there are; only where their list would exceed 100,000"},
      }};
}

namespace {

double drift_ppm(double drift) { return drift == 0 ? 0 : -1e6 * drift; }  // no negative zero

ClockSegment::Limits proven(const ClockSegment& segment) {
  return segment.limits.value_or(ClockSegment::Limits{segment.shift, segment.drift, 0});
}

}  // namespace

Fields<ClockSegment> fields_of(const ClockSegment*) {
  return {
      "ClockSegment",
      "How a rank's clock relates to the first rank's, in at most 60 s",
      {
          {"start_ns", [](const ClockSegment& s) { return s.time.start; }, "when the segment starts, on this clock"},
          {"end_ns", [](const ClockSegment& s) { return s.time.end; }, "when it ends"},
          {"offset_ns", [](const ClockSegment& s) { return -proven(s).shift; },
           "half-way between what collectives prove: how far this clock is ahead of the first rank's at `start_ns`"},
          {"drift_ppm", [](const ClockSegment& s) { return drift_ppm(proven(s).drift); }, "how much it gains on it"},
          {"bound_ns", [](const ClockSegment& s) { return s.limits ? std::optional(s.limits->bound) : std::nullopt; },
           "the truth is no further from that line; `null`: nothing limits it"},
          {"used_offset_ns", [](const ClockSegment& s) { return -s.shift; }, "the line that waits are computed with"},
          {"used_drift_ppm", [](const ClockSegment& s) { return drift_ppm(s.drift); }, "its drift"},
      }};
}

Fields<PlacedClock> fields_of(const PlacedClock*) {
  return {
      "Clock",
      "How a rank's clock relates to the first rank's: the first segment, and all of them",
      {
          {"rank", [](const PlacedClock& c) { return c.clock.rank; }, "its number"},
          {"basis", [](const PlacedClock& c) { return c.clock.basis; },
           "what placed it: `shared` (it is the first rank's clock), `wall_clock`, `assumed` (neither log has a wall "
           "clock; taken for the first rank's), `collectives`, `unknown`"},
          {kAllFieldsOf, [](const PlacedClock& c) { return c.clock.map.segments().front(); }},
          {"bound_ns", [](const PlacedClock& c) { return c.clock.map.bound(); },
           "the truth is no further from the line, in any segment; `null`: nothing limits it"},
          {"device_offset_ns",
           [](const PlacedClock& c) {
             return c.device.limits ? std::optional(-c.device.limits->middle) : std::nullopt;
           },
           "how far the rank's device is ahead of that of the first rank of its host; `null`: nothing proves it, or it "
           "is that rank"},
          {"device_bound_ns",
           [](const PlacedClock& c) { return c.device.limits ? std::optional(c.device.limits->bound) : std::nullopt; },
           "how far the truth can be from that"},
          {"used_device_offset_ns", [](const PlacedClock& c) { return -c.device.used; },
           "how much of that waits are computed with; it is part of `used_offset_ns`, too"},
          {"segments", [](const PlacedClock& c) { return c.clock.map.segments(); }, "all of them"},
      }};
}

std::vector<PlacedClock> placed_clocks(const RunMetrics& metrics) {
  std::vector<PlacedClock> clocks;
  for (size_t i = 0; i < metrics.clocks.ranks.size(); ++i)
    clocks.push_back({metrics.clocks.ranks[i], metrics.clocks.alignment.devices[i]});
  return clocks;
}

}  // namespace tauprof
