#include <fmt/format.h>

#include <algorithm>

#include "model/terminal_text.h"
#include "report/sections.h"
#include "report/text_documents.h"
#include "report/text_sections.h"
#include "report/text_style.h"
#include "report/wrapped_text.h"

namespace tauprof {
namespace {

std::string sections_to_ask_for(size_t width) {
  std::string names;
  for (const ReportSection& section : sections()) names += fmt::format("{},", section.name);
  return "\n" + wrapped("more: --show " + names + "all", width, 6);
}

bool is_asked(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string asked_sections(const Report& report, const TextStyle& style) {
  const bool is_few = style.sections.size() < sections().size();
  std::string text;
  for (const ReportSection& section : sections()) {
    if (!is_asked(style.sections, section.name)) continue;
    const std::string lines = with_wrapped_prose(section.text(report, style), style.width);
    text += !lines.empty() || !is_few ? lines : fmt::format("\n{}: nothing in this run\n", section.name);
  }
  return text;
}

std::string plain_report(const Report& report, const TextStyle& style) {
  if (report.job)
    return with_wrapped_prose(recording_text(report.facts) + steps_text(report) + job_text(*report.job), style.width);
  if (style.sections.empty()) {
    const std::string more = sections_to_ask_for(style.width);
    return verdict_text(report, style, kScreenLines - lines_in(more)) + more;
  }
  return asked_sections(report, style);
}

}  // namespace

std::string text_report(const Report& report, const TextStyle& style) {
  std::string text = terminal_lines(plain_report(report, style));
  if (text.starts_with('\n')) text.erase(0, 1);
  return style.is_coloured ? coloured(text) : text;
}

}  // namespace tauprof
