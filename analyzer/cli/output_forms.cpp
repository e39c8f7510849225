#include "cli/output_forms.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>

#include "cli/printed_report.h"

namespace tauprof {

void OutputForms::add_to(Command& command, const std::string& what) {
  command
      .option("--json FILE", json,
              ("Write the " + what + " as JSON to FILE; -: to standard output, instead of the text").c_str())
      .not_empty();
  command.option("--markdown FILE", markdown, "Likewise in Markdown, as for a comment on a pull request").not_empty();
  command.option("--junit FILE", junit, "Likewise as JUnit's XML, which continuous integration shows").not_empty();
}

bool OutputForms::can_be_written() const {
  const std::array paths = {&json, &markdown, &junit};
  if (std::count_if(paths.begin(), paths.end(), [](const std::string* path) { return *path == "-"; }) > 1) {
    spdlog::error("several outputs want standard output; give all but one of them a file");
    return false;
  }
  return std::all_of(paths.begin(), paths.end(), [](const std::string* path) { return can_write_report(*path); });
}

bool OutputForms::write(const Text& as_json, const Text& as_markdown, const Text& as_junit) const {
  return (json.empty() || write_report(json, as_json())) &&
         (markdown.empty() || write_report(markdown, as_markdown())) &&
         (junit.empty() || write_report(junit, as_junit()));
}

}  // namespace tauprof
