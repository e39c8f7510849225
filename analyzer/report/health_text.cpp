#include <fmt/format.h>

#include "model/terminal_text.h"
#include "report/markup.h"
#include "report/statement_text.h"
#include "report/text_documents.h"
#include "report/text_style.h"
#include "report/value_names.h"
#include "report/wrapped_text.h"

namespace tauprof {
namespace {

constexpr size_t kFoundColumn = 26;

}  // namespace

std::string health_text(const std::vector<HealthCheck>& checks, const TextStyle& style) {
  std::string text;
  for (const HealthCheck& check : checks)
    text += wrapped(fmt::format("  {:<7}  {:<14}  {} (should be: {})", name_of(check.outcome), check.id,
                                terminal_text(text_of(check.found)), text_of(check.limit)),
                    style.width, kFoundColumn);
  return style.is_coloured ? coloured(text) : text;
}

std::string health_markdown(const std::vector<HealthCheck>& checks, const std::string& run) {
  std::vector<std::vector<std::string>> rows;
  for (const HealthCheck& check : checks)
    rows.push_back({check.outcome == HealthOutcome::kFail ? "**fail**" : std::string(name_of(check.outcome)), check.id,
                    markdown_text(text_of(check.found)), markdown_text(text_of(check.limit))});
  return fmt::format("### tauprof health: run {}\n\n", markdown_text(run)) +
         markdown_table({"", "check", "found", "should be"}, rows);
}

std::string health_junit(const std::vector<HealthCheck>& checks) {
  std::vector<TestCase> cases;
  for (const HealthCheck& check : checks) {
    const TestOutcome outcome = check.outcome == HealthOutcome::kPass   ? TestOutcome::kPassed
                                : check.outcome == HealthOutcome::kFail ? TestOutcome::kFailed
                                                                        : TestOutcome::kSkipped;
    cases.push_back({check.id, outcome, fmt::format("{} (should be: {})", text_of(check.found), text_of(check.limit))});
  }
  return junit_xml("tauprof health", cases);
}

}  // namespace tauprof
