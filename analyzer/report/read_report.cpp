#include "report/read_report.h"

#include <algorithm>
#include <cmath>

#include "limits/log_limits.h"
#include "model/regular_file.h"
#include "report/json_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

template <class T>
std::optional<T> known(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<T>());
}

std::string text_of(const Json& json) { return json.is_string() ? json.get<std::string>() : std::string(); }

double mean_of(const Json& statistics) { return statistics.is_null() ? 0 : statistics.at("mean").get<double>(); }

// The value that reports call so; the first one if none is.
template <class Value>
Value named(const Json& name, int count) {
  for (int i = 0; i < count; ++i)
    if (name.is_string() && name_of(static_cast<Value>(i)) == name.get<std::string>()) return static_cast<Value>(i);
  return static_cast<Value>(0);
}

// As logs have it. Empty: ranks differ, and the report does not have each value.
std::string setting_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_object() ? std::string() : value.dump();
}

void read_facts(const Json& json, RunFacts& facts) {
  const Json& run = json.at("run");
  facts.id = text_of(run.at("id"));
  facts.ranks = run.at("ranks").get<int32_t>();
  facts.device_count = run.value("device_count", facts.ranks);
  facts.world_size = known<int32_t>(run.at("world_size")).value_or(0);
  facts.missing_ranks = run.at("missing_ranks").get<std::vector<int32_t>>();
  facts.hosts = run.at("host_names").get<std::vector<std::string>>();
  facts.devices = run.at("devices").get<std::vector<std::string>>();
  facts.source = text_of(run.at("source"));
  facts.command = text_of(run.at("command"));
  facts.versions = run.at("versions").get<std::map<std::string, std::string>>();
  facts.dropped = json.at("quality").at("dropped_by_reason").get<std::map<std::string, uint64_t>>();
  const Json& steps = json.at("steps");
  facts.steps_source = text_of(steps.at("detected_by"));
  facts.steps_confidence = steps.at("confidence").get<double>();
  facts.steps_reason = text_of(steps.at("reason"));
  if (json.at("settings").is_null()) return;
  for (const auto& [group, values] : json.at("settings").items())
    for (const auto& [name, value] : values.items())
      if (const std::string text = setting_of(value); !text.empty()) facts.settings[group + "." + name][text] = {};
}

void read_steps(const Json& json, Report& report) {
  RunMetrics& metrics = report.metrics;
  const Json& steps = json.at("steps");
  metrics.steps.selection.warmup = steps.at("warmup").get<size_t>();
  for (const Json& step : steps.at("list")) {
    const StepDuration duration{step.at("step").get<int64_t>(), known<double>(step.at("duration_ns")),
                                known<double>(step.at("host_duration_ns")).value_or(0)};
    metrics.steps.selection.analysed.push_back(duration);
    metrics.steps.series.host_ns.push_back(duration.host_ns);
    if (duration.device_ns) metrics.steps.series.device_ns.push_back(*duration.device_ns);
  }
  metrics.steps.step_duration.mean = mean_of(steps.at("duration_ns"));
  metrics.steps.host_duration.mean = mean_of(steps.at("host_duration_ns"));
  const double per_second = metrics.steps.step_duration.mean > 0 ? 1e9 / metrics.steps.step_duration.mean : 0;
  const double ranks = report.facts.world_size > 0 ? report.facts.world_size : report.facts.ranks;
  const auto in_a_step = [&](const char* rate) -> std::optional<double> {
    const auto all = known<double>(steps.at(rate));
    return all && per_second * ranks > 0 ? std::optional(*all / per_second / ranks) : std::nullopt;
  };
  report.batch = in_a_step("samples_per_s");
  report.tokens = in_a_step("tokens_per_s");
}

// Rank and step of each device window, as many as the sum of all is worth.
double windows_of(const Json& json, const RunMetrics& metrics) {
  const double all = known<double>(json.at("ledger").at("step_ns")).value_or(0);
  return metrics.steps.step_duration.mean > 0 ? std::max(1.0, std::round(all / metrics.steps.step_duration.mean)) : 1;
}

void read_parts(const Json& json, RunMetrics& metrics) {
  const auto windows = static_cast<double>(metrics.time.windows);
  const Json& ledger = json.at("ledger");
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    metrics.steps.series.row_ns[row] = {ledger.at("rows").at(std::string(kLedgerRowNames[row])).get<double>() /
                                        windows};
  for (size_t phase = 0; phase < kPhaseCount; ++phase) {
    double sum = 0;
    for (const auto& [row, time] : ledger.at("by_phase").at(std::string(kPhaseNames[phase])).items())
      sum += time.get<double>();
    metrics.steps.series.phase_ns[phase] = {sum / windows};
  }
}

// Of the nine phases, and of the two that are made of several; `name`: kept as long as the program runs.
void read_phase(const Json& phases, size_t index, std::string_view name, RunMetrics& metrics) {
  const Json& phase = phases.at(index);
  PhaseSeries& series = metrics.steps.series.phases.emplace_back();
  series.name = name;
  series.is_derived = phase.at("derived").get<bool>();
  series.host_ns = {mean_of(phase.at("host_ns"))};
  if (!phase.at("device_ns").is_null()) series.device_ns = {mean_of(phase.at("device_ns"))};
}

// An older report does not say what each rank makes of the step.
void read_rank_shares(const Json& stragglers, StepSeries& series) {
  for (const Json& rank : stragglers.at("ranks"))
    if (const auto ns = known<double>(rank.value("makes_ns_per_step", Json())))
      series.ranks.push_back({rank.at("rank").get<int32_t>(), {*ns}});
  if (const auto ns = known<double>(stragglers.value("nobody_makes_ns_per_step", Json()))) series.nobody_ns = {*ns};
}

void read_blame(const Json& stragglers, RunMetrics& metrics) {
  for (const Json& rank : stragglers.at("ranks")) {
    RankBlame& blame = metrics.stragglers.ranks.emplace_back();
    blame.rank = rank.at("rank").get<int32_t>();
    blame.by_cause[static_cast<size_t>(Cause::kUnknown)] = known<double>(rank.at("blamed_ns")).value_or(0);
  }
  // Of the others only the sum is there.
  for (const Json& one : stragglers.at("found"))
    for (RankBlame& blame : metrics.stragglers.ranks) {
      if (blame.rank != one.at("rank").get<int32_t>()) continue;
      const Json& causes = one.at("blamed_ns_by_cause");
      for (size_t cause = 0; cause < kCauseCount; ++cause)
        blame.by_cause[cause] = causes.value(std::string(kCauseNames[cause]), 0.0);
    }
}

void read_ranks(const Json& json, RunMetrics& metrics) {
  const auto ranks = static_cast<double>(json.at("per_rank").size());
  for (const Json& rank : json.at("per_rank")) {
    RankMetrics& r = metrics.ranks.emplace_back();
    r.rank = rank.at("rank").get<int32_t>();
    r.host = text_of(rank.at("host"));
    r.step_ns = known<Nanoseconds>(rank.at("step_ns")).value_or(0);
    r.windows = static_cast<size_t>(std::round(static_cast<double>(metrics.time.windows) / ranks));
    if (rank.at("ledger").is_null()) continue;
    for (size_t row = 0; row < kLedgerRowCount; ++row)
      r.ledger.add(Phase::kOther, static_cast<LedgerRow>(row),
                   rank.at("ledger").at(std::string(kLedgerRowNames[row])).get<Nanoseconds>());
  }
}

void read_phases(const Json& phases, RunMetrics& metrics) {
  for (size_t phase = 0; phase < kPhaseCount; ++phase) read_phase(phases, phase, kPhaseNames[phase], metrics);
  read_phase(phases, kPhaseCount, "backward_step", metrics);
  read_phase(phases, kPhaseCount + 1, "total", metrics);
}

void read_kernels(const Json& kernels, RunMetrics& metrics) {
  const auto windows = static_cast<double>(metrics.time.windows);
  for (const Json& kernel : kernels) {
    KernelMetrics& metric = metrics.work.kernels.emplace_back();
    metric.name = text_of(kernel.at("name"));
    metric.span_class = named<SpanClass>(kernel.at("class"), static_cast<int>(SpanClass::kNotWork) + 1);
    metric.count = kernel.at("count").get<uint64_t>();
    metric.total = kernel.at("total_ns").get<Nanoseconds>();
    metric.per_step.mean_ns = static_cast<double>(metric.total) / windows;
    metric.per_step.in_stretches_ns = {metric.per_step.mean_ns};
  }
}

// How long it ran on all members together: S over algbw is the mean of them.
double span_of(const Json& collective, const CollectiveMetrics& metric) {
  const double algbw = known<double>(collective.at("algbw_gb_per_s")).value_or(0);
  if (metric.size_bytes && algbw > 0)
    return static_cast<double>(*metric.size_bytes) * static_cast<double>(metric.count - metric.untimed) / algbw *
           metric.ranks;
  return known<double>(collective.at("wait_ns")).value_or(0) + known<double>(collective.at("transfer_ns")).value_or(0);
}

void read_collectives(const Json& collectives, RunMetrics& metrics) {
  const auto windows = static_cast<double>(metrics.time.windows);
  for (const Json& collective : collectives) {
    CollectiveMetrics& metric = metrics.communication.collectives.emplace_back();
    metric.operation = named<log::Operation>(collective.at("op"), static_cast<int>(log::Operation::kBarrier) + 1);
    metric.datatype = named<log::DataType>(collective.at("dtype"), static_cast<int>(log::DataType::kFloat4) + 1);
    metric.ranks = collective.at("ranks").get<int32_t>();
    metric.size_bytes = known<int64_t>(collective.at("size_bytes"));
    metric.count = collective.at("count").get<uint64_t>();
    metric.untimed = collective.at("untimed").get<uint64_t>();
    metric.busbw_gb_per_s = known<double>(collective.at("busbw_gb_per_s"));
    metric.communicator = text_of(collective.at("comm"));
    metric.is_named = collective.at("named").get<bool>();
    metric.span_per_step.mean_ns = span_of(collective, metric) / windows;
    metric.exposed_per_step.mean_ns = known<double>(collective.at("exposed_ns")).value_or(0) / windows;
  }
}

void read_memory(const Json& json, RunMetrics& metrics) {
  if (json.at("memory").is_null()) return;
  for (const Json& rank : json.at("memory").at("ranks")) {
    MemoryOfRank& memory = metrics.devices.memory.emplace_back();
    memory.rank = rank.at("rank").get<int32_t>();
    memory.peak_bytes = known<int64_t>(rank.at("peak_bytes")).value_or(0);
    memory.growth_per_step = known<double>(rank.at("growth_bytes_per_step"));
    memory.allocations_per_step = known<double>(rank.at("allocations_per_step")).value_or(0);
    memory.peak_reserved_bytes = known<int64_t>(rank.at("peak_reserved_bytes"));
  }
}

}  // namespace

Status read_report(const std::string& path, Report& report) {
  constexpr const char* kNoReport = ": no report that tauprof analyze --json wrote";
  std::string text;
  if (const Status status = read_regular_file(path, kMostReportBytes, text); !status.is_ok())
    return Status::error(path + ": " + status.message() + "; name a report that tauprof analyze --json wrote");
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object() || text_of(json.value("schema", Json())) != "tauprof.report/2")
    return Status::error(path + kNoReport);
  try {
    if (!json.contains("ledger")) return Status::error(path + ": the report of an operation trace cannot be compared");
    read_facts(json, report.facts);
    read_steps(json, report);
    report.metrics.time.windows = static_cast<size_t>(windows_of(json, report.metrics));
    if (!report.metrics.steps.series.device_ns.empty()) {
      read_parts(json, report.metrics);
      read_ranks(json, report.metrics);
      read_blame(json.at("stragglers"), report.metrics);
      read_rank_shares(json.at("stragglers"), report.metrics.steps.series);
    }
    read_phases(json.at("phases"), report.metrics);
    read_kernels(json.at("kernels"), report.metrics);
    read_collectives(json.at("collectives"), report.metrics);
    read_memory(json, report.metrics);
  } catch (const Json::exception&) {
    return Status::error(path + kNoReport + " (or an older version did)");
  }
  return Status::ok();
}

}  // namespace tauprof
