#include "cli/printed_report.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/terminal_width.h"
#include "export/output_place.h"
#include "html/html_page.h"

namespace tauprof {
namespace {

bool complain_of(const Status& status) {
  if (!status.is_ok()) spdlog::error(status.message());
  return status.is_ok();
}

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

// "out/report.html" → "out/report-steps.js"; empty beside what is no file, such as a pipe.
std::filesystem::path beside(const std::string& path) {
  std::error_code unknown;
  if (path == "-" || (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown)))
    return {};
  const std::filesystem::path page(path);
  return page.parent_path() / (page.stem().string() + "-steps.js");
}

}  // namespace

bool print_report(const std::string& text) {
  if (fwrite(text.data(), 1, text.size(), stdout) == text.size() && fflush(stdout) == 0) return true;
  spdlog::error("standard output: cannot write the report: {}", std::strerror(errno));
  return false;
}

bool write_report(const std::string& path, const std::string& text) {
  if (path.empty()) return true;
  return path == "-" ? print_report(text) : complain_of(OutputPlace::write_text(path, text));
}

bool can_write_report(const std::string& path) {
  return path.empty() || path == "-" || complain_of(OutputPlace::check(path, OutputKind::kText));
}

TextStyle style_of_stdout() {
  TextStyle style;
  style.width = terminal_width(STDOUT_FILENO);
  style.is_coloured = isatty(STDOUT_FILENO) != 0 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  return style;
}

bool write_page(const std::string& path, const Report& report, const PageTimeline& timeline) {
  const std::filesystem::path file = beside(path);
  const PageFiles files = html_page(report, timeline, file.filename().string());
  if (!write_report(path, files.page)) return false;
  return files.beside.empty() || write_report(file.string(), files.beside);
}

}  // namespace tauprof
