#include "import/source_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "import/decimal.h"
#include "model/file_name.h"
#include "model/lower_case.h"

namespace tauprof::kineto {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxRankDigits = 7;  // longer numbers are process ids or times

bool is_trace_name(const std::string& name) { return name.ends_with(".json") || name.ends_with(".json.gz"); }

bool remove_suffix(std::string_view& text, std::string_view suffix) {
  if (text.size() <= suffix.size() || !text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

// The number at `start`; -1: there is none, or it has too many digits for a rank.
int64_t number_at(std::string_view text, size_t start) {
  int64_t number = 0;
  size_t end = start;
  for (; end < text.size() && is_digit(text[end]); ++end) {
    if (end - start == kMaxRankDigits) return -1;
    number = number * 10 + (text[end] - '0');
  }
  return end == start ? -1 : number;
}

int64_t number_behind(std::string_view name, std::string_view word) {
  for (size_t found = name.find(word); found != std::string_view::npos; found = name.find(word, found + 1)) {
    size_t start = found + word.size();
    if (start < name.size() && (name[start] == '-' || name[start] == '_')) ++start;
    if (const int64_t number = number_at(name, start); number >= 0) return number;
  }
  return -1;
}

Status no_traces(const std::string& source, std::string_view why) {
  return Status::error(
      fmt::format("{}: {}; give a PyTorch profiler trace (.json or .json.gz) or a directory of them", source, why));
}

}  // namespace

Status list_sources(const std::string& source, std::vector<std::string>& files) {
  files.clear();
  std::error_code error;
  const fs::file_status status = fs::status(source, error);
  if (!fs::exists(status)) return no_traces(source, error ? error.message() : "no such file or directory");
  if (!fs::is_directory(status)) {
    files.push_back(source);
    return Status::ok();
  }
  fs::directory_iterator entries(source, error);
  if (error) return no_traces(source, error.message());
  for (; entries != fs::directory_iterator(); entries.increment(error)) {
    if (error) return no_traces(source, error.message());
    std::error_code ignored;
    if (is_trace_name(entries->path().filename().string()) && !entries->is_directory(ignored))
      files.push_back(entries->path().string());
  }
  if (files.empty()) return no_traces(source, "the directory holds no traces");
  std::sort(files.begin(), files.end());
  return Status::ok();
}

std::string stem_of(std::string_view path) {
  std::string_view name = file_name(path);
  remove_suffix(name, ".gz");
  remove_suffix(name, ".json");
  if (remove_suffix(name, ".trace")) remove_suffix(name, ".pt");
  return std::string(name);
}

int64_t rank_in_name(std::string_view path) {
  const std::string name = lower_case(file_name(path));
  for (std::string_view word : {"rank", "worker"})
    if (const int64_t number = number_behind(name, word); number >= 0) return number;
  const std::string stem = stem_of(name);
  const size_t line = stem.rfind('_');
  if (line == std::string::npos) return -1;
  const std::string_view digits = std::string_view(stem).substr(line + 1);
  const bool is_number = !digits.empty() && std::all_of(digits.begin(), digits.end(), is_digit);
  // If it has no rank, the profiler writes the process id here.
  return is_number && digits.size() <= 4 ? number_at(digits, 0) : -1;
}

}  // namespace tauprof::kineto
