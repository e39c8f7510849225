#include "replay/longer_step.h"

#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "limits/analysis_limits.h"
#include "replay/chance.h"

namespace tauprof {
namespace {

struct Place {
  size_t rank = 0;
  const OperationLabel* operation = nullptr;
};

Place place_of(const RunGraph& run, OperationId wanted) {
  Place place;
  for (size_t rank = 0; rank < run.rank_count(); ++rank)
    run.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      if (id == wanted) place = {rank, &operation};
    });
  return place;
}

std::string milliseconds(Nanoseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g ms", static_cast<double>(time) / 1e6);
  return text;
}

std::string rank_and_step(const RunGraph& run, const Place& place) {
  return "rank " + std::to_string(run.rank_number(place.rank)) + " in step " +
         std::to_string(run.step_of(place.rank, *place.operation));
}

// "in cudaMalloc"; of the host between two calls "on the host before cudaMalloc".
std::string doing(const RunGraph& run, const Place& place) {
  const std::string& name = run.name(run.name_of(place.rank, *place.operation));
  const std::string called = name.empty() ? "the next call" : name;
  return (place.operation->kind == OperationKind::kBetween ? "on the host before " : "in ") + called;
}

std::string why(const RunGraph& run, const Changes::Growth& growth, double longer) {
  const Place own = place_of(run, growth.operation), example = place_of(run, growth.example);
  if (own.operation == nullptr || example.operation == nullptr) return {};
  char share[32];
  std::snprintf(share, sizeof share, "%.1f %%", 100 * longer);
  return "steps would be longer by " + std::string(share) + ", mostly because its example, " +
         rank_and_step(run, example) + ", takes " + milliseconds(growth.becomes) + " " + doing(run, own) + " where " +
         rank_and_step(run, own) + " takes " + milliseconds(growth.was) +
         ": it has a trouble of its own there, or waits";
}

}  // namespace

Answer repaired(RunGraph& run, const MakeRepairs& make, bool is_all) {
  Changes changes(run);
  if (std::string reason = make(changes, Draw::kFirst); !reason.empty()) return {.reason = std::move(reason)};
  Answer answer = answered(run, changes);
  const double step = run.mean_step(run.measured());
  // Where the answer is too wide, it is longer if it is at least that.
  const double least = answer.step_ns ? *answer.step_ns : answer.bounds->least_ns;
  const double longer = step > 0 ? least / step - 1 : 0;
  if (is_all && longer > kLongerStep)
    if (const std::optional<Changes::Growth> growth = changes.largest_growth())
      if (std::string reason = why(run, *growth, longer); !reason.empty()) return {.reason = std::move(reason)};
  if (!answer.step_ns || !changes.has_examples()) return answer;
  Changes others(run);
  if (!make(others, Draw::kSecond).empty()) return answer;
  const double of_examples = chance_of_examples(answer.steps_ns, run.step_lengths(others.replayed().schedule));
  answer.chance_ns = std::hypot(answer.chance_ns, of_examples);
  return answer;
}

}  // namespace tauprof
