#include "report/sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/collective_text.h"
#include "report/communication_text.h"
#include "report/efficiency_text.h"
#include "report/finding_text.h"
#include "report/input_text.h"
#include "report/ledger_text.h"
#include "report/link_model_text.h"
#include "report/memory_text.h"
#include "report/parallelism_text.h"
#include "report/progress_text.h"
#include "report/recording_text.h"
#include "report/step_text.h"
#include "report/straggler_text.h"
#include "report/telemetry_text.h"
#include "report/verdict_text.h"
#include "report/work_text.h"

namespace tauprof {
namespace {

constexpr std::string_view kAll = "all";

std::string communication(const Report& report, const TextStyle& style) {
  const RunMetrics& metrics = report.metrics;
  return overlap_text(metrics.overlap) + parallelism_text(metrics, style.width) +
         collectives_text(metrics, style.width) + links_text(metrics.links) + communication_text(metrics);
}

std::string api(const Report& report, const TextStyle& style) {
  return calls_text(report.metrics, style.width) + slow_calls_text(report.metrics, style.width);
}

std::string known_names() {
  std::string names;
  for (const ReportSection& section : sections()) names += fmt::format("{}, ", section.name);
  return names + std::string(kAll);
}

}  // namespace

const std::vector<ReportSection>& sections() {
  static const std::vector<ReportSection> kSections = {
      {"verdict", verdict_text},
      {"recording", [](const Report& report, const TextStyle&) { return "\n" + recording_text(report.facts); }},
      {"hang", [](const Report& report, const TextStyle&) { return progress_text(report.metrics.progress); }},
      {"findings", [](const Report& report, const TextStyle&) { return findings_text(report); }},
      {"steps", [](const Report& report, const TextStyle&) { return steps_text(report); }},
      {"ledger", [](const Report& report, const TextStyle&) { return ledger_text(report); }},
      {"phases", [](const Report& report, const TextStyle&) { return phases_text(report); }},
      {"input", [](const Report& report, const TextStyle&) { return input_text(report); }},
      {"ranks", [](const Report& report, const TextStyle&) { return ranks_text(report) + stragglers_text(report); }},
      {"comm", communication},
      {"efficiency", [](const Report& report, const TextStyle&) { return efficiency_text(report); }},
      {"kernels",
       [](const Report& report, const TextStyle& style) { return kernels_text(report.metrics, style.width); }},
      {"memory", [](const Report& report, const TextStyle&) { return memory_text(report); }},
      {"telemetry", [](const Report& report, const TextStyle& style) { return telemetry_text(report, style.width); }},
      {"api", api},
  };
  return kSections;
}

std::vector<std::string> parse_sections(const std::string& list, std::string& complaint) {
  std::vector<std::string> names;
  size_t start = 0;
  while (start <= list.size()) {
    const size_t end = std::min(list.find(',', start), list.size());
    const std::string name = list.substr(start, end - start);
    start = end + 1;
    if (name == kAll) {
      for (const ReportSection& section : sections()) names.emplace_back(section.name);
      continue;
    }
    if (std::none_of(sections().begin(), sections().end(),
                     [&](const ReportSection& known) { return known.name == name; })) {
      complaint = fmt::format("'{}' is no section; there are {}", name, known_names());
      return {};
    }
    names.push_back(name);
  }
  return names;
}

}  // namespace tauprof
