#include "report/throughput.h"

#include <charconv>
#include <string>

namespace tauprof {
namespace {

// The setting's value if all ranks that were asked have the same; else empty.
std::string setting(const RunFacts& facts, const char* name) {
  const auto found = facts.settings.find(name);
  return found != facts.settings.end() && found->second.size() == 1 ? found->second.begin()->first : std::string();
}

int32_t ranks_of(const RunFacts& facts) { return facts.world_size > 0 ? facts.world_size : facts.ranks; }

std::optional<double> times_per_second(const Report& report) {
  if (report.facts.is_by_time() || report.metrics.steps.step_duration.mean <= 0) return std::nullopt;
  return 1e9 / report.metrics.steps.step_duration.mean;
}

// Whether each rank has data of its own, and all have a log.
bool have_own_data(const RunFacts& facts) {
  return facts.ranks == ranks_of(facts) && (facts.ranks == 1 || !setting(facts, "parallel.kind").empty());
}

// Samples of all ranks in a step.
std::optional<double> asked_samples(const Report& report) {
  const RunFacts& facts = report.facts;
  const std::string size = setting(facts, "loader.batch_size");
  uint64_t batch = 0;
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), batch);
  if (error != std::errc() || end != size.data() + size.size() || batch == 0) return std::nullopt;  // none, or several
  const size_t steps = report.metrics.steps.selection.analysed.size();
  if (!have_own_data(facts) || steps == 0) return std::nullopt;
  uint64_t batches = 0;
  for (const RankInput& rank : report.metrics.input.ranks) {
    if (rank.batches == 0) return std::nullopt;
    batches += rank.batches;
  }
  if (batches == 0) return std::nullopt;
  return static_cast<double>(batch) * static_cast<double>(batches) / static_cast<double>(steps);
}

}  // namespace

std::optional<InputRate> sample_rate(const Report& report) {
  const std::optional<double> times = times_per_second(report);
  if (!times) return std::nullopt;
  if (report.batch) return InputRate{*report.batch * ranks_of(report.facts) * *times, false};
  const std::optional<double> samples = asked_samples(report);
  if (!samples) return std::nullopt;
  return InputRate{*samples * *times, true};
}

std::optional<InputRate> token_rate(const Report& report) {
  const std::optional<double> times = times_per_second(report);
  if (!times) return std::nullopt;
  const int32_t ranks = ranks_of(report.facts);
  if (report.tokens) return InputRate{*report.tokens * ranks * *times, false};
  if (!report.metrics.steps.step_tokens || !have_own_data(report.facts)) return std::nullopt;
  return InputRate{report.metrics.steps.step_tokens->tokens * ranks * *times, true};
}

}  // namespace tauprof
