#include "report/sections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/text_sections.h"

namespace tauprof {
namespace {

constexpr std::string_view kAll = "all";

template <std::string (*kText)(const Report&, size_t)>
std::string of_width(const Report& report, const TextStyle& style) {
  return kText(report, style.width);
}

std::string communication(const Report& report, const TextStyle& style) {
  const RunMetrics& metrics = report.metrics;
  return overlap_text(metrics.time.overlap) + parallelism_text(metrics, style.width) +
         collectives_text(metrics, style.width) + links_text(metrics.communication.links, style.width) +
         communication_text(metrics, style.width);
}

std::string api(const Report& report, const TextStyle& style) {
  return calls_text(report.metrics, style.width) + slow_calls_text(report.metrics, style.width);
}

}  // namespace

const std::vector<ReportSection>& sections() {
  static const std::vector<ReportSection> kSections = {
      {"verdict", [](const Report& report, const TextStyle& style) { return verdict_text(report, style); }},
      {"recording", [](const Report& report, const TextStyle&) { return "\n" + recording_text(report.facts); }},
      {"hang", [](const Report& r, const TextStyle& style) { return progress_text(r.metrics, style.width); }},
      {"findings", [](const Report& report, const TextStyle&) { return findings_text(report); }},
      {"steps", [](const Report& report, const TextStyle&) { return steps_text(report); }},
      {"ledger", of_width<ledger_text>},
      {"phases", of_width<phases_text>},
      {"input", of_width<input_text>},
      {"ranks",
       [](const Report& r, const TextStyle& style) { return ranks_text(r, style.width) + stragglers_text(r); }},
      {"comm", communication},
      {"efficiency", of_width<efficiency_text>},
      {"kernels", [](const Report& r, const TextStyle& style) { return kernels_text(r.metrics, style.width); }},
      {"operators", of_width<operators_text>, true},
      {"modules", of_width<modules_text>, true},
      {"lines", of_width<lines_text>, true},
      {"memory", of_width<memory_text>},
      {"telemetry", of_width<telemetry_text>},
      {"api", api},
  };
  return kSections;
}

bool need_paths(const std::vector<std::string>& names) {
  return std::any_of(sections().begin(), sections().end(), [&](const ReportSection& section) {
    return section.needs_paths && std::find(names.begin(), names.end(), section.name) != names.end();
  });
}

std::vector<std::string> parse_names(const std::string& list, const std::vector<std::string_view>& known,
                                     std::string& complaint) {
  std::vector<std::string> names;
  size_t start = 0;
  while (start <= list.size()) {
    const size_t end = std::min(list.find(',', start), list.size());
    const std::string name = list.substr(start, end - start);
    start = end + 1;
    if (name == kAll) {
      names.insert(names.end(), known.begin(), known.end());
    } else if (std::find(known.begin(), known.end(), name) != known.end()) {
      names.push_back(name);
    } else {
      complaint = fmt::format("'{}' is no section; there are {}, {}", name, fmt::join(known, ", "), kAll);
      return {};
    }
  }
  return names;
}

std::vector<std::string> parse_sections(const std::string& list, std::string& complaint) {
  std::vector<std::string_view> known;
  for (const ReportSection& section : sections()) known.push_back(section.name);
  return parse_names(list, known, complaint);
}

}  // namespace tauprof
