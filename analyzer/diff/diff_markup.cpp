
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "diff/diff_forms.h"
#include "diff/diff_values.h"
#include "report/markup.h"
#include "report/text_values.h"

namespace tauprof {
namespace {

constexpr size_t kMostRows = 8;

const char* words_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kSlower:
      return "slower";
    case Outcome::kFaster:
      return "faster";
    case Outcome::kNotShown:
      return "no difference shown";
    case Outcome::kNotJudged:
      return "not judged";
  }
  return "";
}

std::vector<std::string> cells_of(const std::string& name, const JudgedTime& time) {
  const std::optional<double> ratio = time.means.ratio();
  return {markdown_text(name), duration_text(time.means.b), duration_text(time.means.a),
          ratio ? change_text(*ratio) : "", time.is_significant ? "yes" : "no"};
}

// The times that differ most, the largest difference first.
template <class Item>
std::vector<const Item*> largest_of(const std::vector<Item>& items) {
  std::vector<const Item*> largest;
  for (const Item& item : items)
    if (item.time.difference_ns() != 0) largest.push_back(&item);
  std::stable_sort(largest.begin(), largest.end(), [](const Item* a, const Item* b) {
    return std::llabs(a->time.difference_ns()) > std::llabs(b->time.difference_ns());
  });
  largest.resize(std::min(largest.size(), kMostRows));
  return largest;
}

template <class Item>
std::string table_of(const char* title, const std::vector<Item>& items) {
  std::vector<std::vector<std::string>> rows;
  for (const Item* item : largest_of(items)) rows.push_back(cells_of(item->name, item->time));
  if (rows.empty()) return {};
  return fmt::format("\n**{}**, per rank and step\n\n{}", title,
                     markdown_table({"", "B", "A", "change", "more than chance"}, rows));
}

std::string ranks_of(const Diff& diff) {
  std::string text;
  for (const RankDiff& rank : diff.ranks.ranks)
    if (rank.is_named)
      text += fmt::format("- rank {} explains {} of it\n", rank.rank, difference_text(rank.time.difference_ns()));
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string diff_markdown(const Diff& diff) {
  std::string text =
      fmt::format("### tauprof diff: {}\n\n{}\n", words_of(diff.step.outcome), markdown_text(verdict_text(diff)));
  text += ranks_of(diff) + table_of("Where the difference is", diff.rows) + table_of("Kernels", diff.kernels);
  for (const std::string& note : diff.notes) text += "\n> " + markdown_text(note) + "\n";
  return text;
}

std::string diff_junit(const Diff& diff, const std::optional<double>& fail_above) {
  const StepDiff& step = diff.step;
  const bool is_beyond =
      step.outcome == Outcome::kSlower && 100 * step.time.means.ratio().value_or(0) > fail_above.value_or(0);
  const TestOutcome outcome = step.outcome == Outcome::kNotJudged ? TestOutcome::kSkipped
                              : is_beyond                         ? TestOutcome::kFailed
                                                                  : TestOutcome::kPassed;
  return junit_xml("tauprof diff", {{"step", outcome, verdict_text(diff)}});
}

}  // namespace tauprof
