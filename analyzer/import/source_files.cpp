#include "import/source_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "import/decimal.h"
#include "import/input_files.h"
#include "model/file_name.h"
#include "model/lower_case.h"

namespace tauprof::kineto {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxRankDigits = 7;  // longer numbers are process ids or times

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

Status list_sources(const std::vector<std::string>& sources, std::vector<std::string>& files) {
  files.clear();
  for (const std::string& source : sources) {
    std::error_code error;
    const fs::file_status status = fs::status(source, error);
    if (!fs::exists(status)) return no_traces(source, error ? error.message() : "no such file or directory");
    if (!fs::is_directory(status)) {
      files.push_back(source);
      continue;
    }
    InputFiles inputs;
    if (Status found = find_inputs(source, inputs); !found.is_ok()) return found;
    std::vector<std::string> traces = inputs.of(InputKind::kTrace);
    traces.insert(traces.end(), inputs.doubtful.begin(), inputs.doubtful.end());
    if (traces.empty()) return no_traces(source, "the directory holds no traces");
    std::sort(traces.begin(), traces.end());
    files.insert(files.end(), traces.begin(), traces.end());
  }
  return Status::ok();
}

std::string stem_of(std::string_view path) {
  std::string_view name = file_name(path);
  remove_suffix(name, ".gz");
  remove_suffix(name, ".json");
  remove_suffix(name, ".sqlite");
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
