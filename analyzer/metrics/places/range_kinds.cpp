#include "metrics/places/range_kinds.h"

#include <algorithm>
#include <iterator>

#include "classify/source_lines.h"
#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

using std::string_view;

constexpr string_view kModulePrefix = "nn.Module: ";

// Modules of Python's own library that call the user's functions. Profilers shorten their paths to the file's name.
constexpr string_view kPythonFiles[] = {"runpy.py",   "threading.py", "contextlib.py", "functools.py",  "queue.py",
                                        "socket.py",  "selectors.py", "subprocess.py", "logging.py",    "typing.py",
                                        "inspect.py", "warnings.py",  "traceback.py",  "copy.py",       "pickle.py",
                                        "abc.py",     "enum.py",      "random.py",     "weakref.py",    "tempfile.py",
                                        "os.py",      "re.py",        "codecs.py",     "dataclasses.py"};
constexpr string_view kPythonFolders[] = {"multiprocessing/", "concurrent/", "asyncio/",    "importlib/", "json/",
                                          "logging/",         "encodings/",  "collections/"};

// "path/file.py(12): function" → the path; empty: no Python function.
string_view python_file(string_view name) {
  const size_t end = name.find(".py(");
  return end == name.npos || name.find("): ", end) == name.npos ? string_view() : name.substr(0, end + 3);
}

bool is_of_framework(string_view file) {
  const auto is_inside = [&](string_view folder) { return file.starts_with(folder); };
  return is_framework_file(file) || is_framework_package(file.substr(0, file.find('/'))) ||
         std::find(std::begin(kPythonFiles), std::end(kPythonFiles), file) != std::end(kPythonFiles) ||
         std::any_of(std::begin(kPythonFolders), std::end(kPythonFolders), is_inside);
}

}  // namespace

RangeKinds::RangeKinds(const ProcessTrace& trace)
    : trace_(trace), python_kinds_(trace.names.size(), RangeKind::kUnknown) {
  for (const HostStep& step : trace.steps) step_starts_.push_back(step.start);
  std::sort(step_starts_.begin(), step_starts_.end());
}

RangeKind RangeKinds::of(const HostRange& range) {
  if (range.is_mark || range.end <= range.start || trace_.names[range.name].empty()) return RangeKind::kHidden;
  switch (range.source) {
    case log::RangeSource::kOperator:
      return RangeKind::kOperator;
    case log::RangeSource::kProfiler:
      return RangeKind::kHidden;
    case log::RangeSource::kPython:
      break;
    default:
      return std::binary_search(step_starts_.begin(), step_starts_.end(), range.start) ? RangeKind::kHidden
                                                                                       : RangeKind::kRange;
  }
  RangeKind& kind = python_kinds_[range.name];
  if (kind != RangeKind::kUnknown) return kind;
  const string_view name = trace_.names[range.name], file = python_file(name);
  if (name.starts_with(kModulePrefix)) return kind = RangeKind::kModule;
  return kind = file.empty() || is_of_framework(file) ? RangeKind::kHidden : RangeKind::kFunction;
}

std::string shown_range(string_view name) {
  if (const string_view file = python_file(name); !file.empty()) {
    const size_t line = file.size() + 1, line_end = name.find(')', line);
    return std::string(file) + ":" + std::string(name.substr(line, line_end - line)) +
           std::string(name.substr(name.find(": ", line_end) + 1));
  }
  if (name.starts_with(kModulePrefix)) name.remove_prefix(kModulePrefix.size());
  if (name.size() > 6 && name.starts_with("## ") && name.ends_with(" ##")) name = name.substr(3, name.size() - 6);
  return std::string(name.substr(0, kLongestLabel));
}

}  // namespace tauprof
