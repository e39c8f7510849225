#include "cli/printed_report.h"

#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "export/output_place.h"

namespace tauprof {
namespace {

bool complain_of(const Status& status) {
  if (!status.is_ok()) spdlog::error(status.message());
  return status.is_ok();
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

}  // namespace tauprof
