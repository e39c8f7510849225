#include "cli/written_page.h"

#include <filesystem>
#include <system_error>

#include "cli/printed_report.h"
#include "html/html_page.h"

namespace tauprof {
namespace {

// "out/report.html" → "out/report-steps.js"; empty beside what is no file, such as a pipe.
std::filesystem::path beside(const std::string& path) {
  std::error_code unknown;
  if (path == "-" || (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown)))
    return {};
  const std::filesystem::path page(path);
  return page.parent_path() / (page.stem().string() + "-steps.js");
}

}  // namespace

bool write_page(const std::string& path, const Report& report, const PageTimeline& timeline) {
  const std::filesystem::path file = beside(path);
  const PageFiles files = html_page(report, timeline, file.filename().string());
  if (!write_report(path, files.page)) return false;
  return files.beside.empty() || write_report(file.string(), files.beside);
}

}  // namespace tauprof
