#include "cli/printed_report.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace tauprof {

bool print_report(const std::string& text) {
  if (fwrite(text.data(), 1, text.size(), stdout) == text.size() && fflush(stdout) == 0) return true;
  spdlog::error("standard output: cannot write the report: {}", std::strerror(errno));
  return false;
}

bool write_json_report(const std::string& path, const std::string& json) {
  if (path == "-") return print_report(json);
  std::ofstream file(path, std::ios::binary);
  file << json;
  file.close();
  if (file) return true;
  spdlog::error("{}: cannot write the JSON report: {}", path, std::strerror(errno));
  return false;
}

void show_progress(size_t done, size_t total) {
  constexpr size_t kWidth = 40;
  const size_t filled = kWidth * done / total;
  fmt::print(stderr, "\r[{}{}] {}/{} logs", std::string(filled, '='), std::string(kWidth - filled, ' '), done, total);
  if (done == total) fmt::print(stderr, "\r{:60}\r", "");
}

}  // namespace tauprof
