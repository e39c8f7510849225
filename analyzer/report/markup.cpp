#include "report/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "model/terminal_text.h"

namespace tauprof {
namespace {

std::string row_of(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + "\n";
}

std::string xml_text(const std::string& text) {
  std::string escaped;
  for (const char letter : terminal_text(text)) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

size_t number_of(const std::vector<TestCase>& cases, TestOutcome outcome) {
  return static_cast<size_t>(
      std::count_if(cases.begin(), cases.end(), [&](const TestCase& one) { return one.outcome == outcome; }));
}

}  // namespace

std::string markdown_text(const std::string& text) {
  constexpr std::string_view kMarkup = "\\`*|<>[]";
  std::string escaped;
  for (const char letter : terminal_text(text)) {
    if (kMarkup.find(letter) != kMarkup.npos) escaped += '\\';
    escaped += letter == '\n' ? ' ' : letter;
  }
  return escaped;
}

std::string markdown_table(const std::vector<std::string>& heading, const std::vector<std::vector<std::string>>& rows) {
  std::string text = row_of(heading) + row_of(std::vector<std::string>(heading.size(), "---"));
  for (const std::vector<std::string>& row : rows) text += row_of(row);
  return text;
}

std::string junit_xml(const std::string& suite, const std::vector<TestCase>& cases) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n",
      xml_text(suite), cases.size(), number_of(cases, TestOutcome::kFailed), number_of(cases, TestOutcome::kSkipped));
  for (const TestCase& one : cases) {
    const std::string message = xml_text(one.message);
    text += fmt::format("  <testcase classname=\"{}\" name=\"{}\">", xml_text(suite), xml_text(one.name));
    if (one.outcome == TestOutcome::kPassed)
      text += fmt::format("<system-out>{}</system-out>", message);
    else
      text += fmt::format("<{} message=\"{}\"/>", one.outcome == TestOutcome::kFailed ? "failure" : "skipped", message);
    text += "</testcase>\n";
  }
  return text + "</testsuite>\n";
}

}  // namespace tauprof
