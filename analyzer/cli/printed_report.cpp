#include "cli/printed_report.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/output_file.h"

namespace tauprof {

bool print_report(const std::string& text) {
  if (fwrite(text.data(), 1, text.size(), stdout) == text.size() && fflush(stdout) == 0) return true;
  spdlog::error("standard output: cannot write the report: {}", std::strerror(errno));
  return false;
}

bool write_report(const std::string& path, const std::string& report) {
  if (path == "-") return print_report(report);
  const Status written = write_whole_file(path, report);
  if (!written.is_ok()) spdlog::error(written.message());
  return written.is_ok();
}

bool can_write_reports(std::initializer_list<std::string> paths) {
  for (const std::string& path : paths) {
    if (path.empty() || path == "-") continue;
    if (const Status status = can_be_written(path); !status.is_ok()) {
      spdlog::error(status.message());
      return false;
    }
  }
  return true;
}

void show_progress(size_t done, size_t total) {
  constexpr size_t kWidth = 40;
  const size_t filled = kWidth * done / total;
  fmt::print(stderr, "\r[{}{}] {}/{} logs", std::string(filled, '='), std::string(kWidth - filled, ' '), done, total);
  if (done == total) fmt::print(stderr, "\r{:60}\r", "");
}

}  // namespace tauprof
