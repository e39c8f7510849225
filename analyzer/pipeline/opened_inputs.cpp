#include "pipeline/opened_inputs.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <utility>

#include "import/formats.h"
#include "log/format.h"
#include "pipeline/analyze_operations.h"

namespace tauprof {
namespace {

// Of many lines about files, the first ones stand for all.
constexpr size_t kMostLines = 8;

std::string what_makes(const std::string& report) {
  const std::string stem = report.substr(0, report.rfind('.'));
  return report + ": a report of nsys, which only nsys reads; run `nsys export --type sqlite -o " + stem + ".sqlite " +
         report + "` and give " + stem + ".sqlite";
}

void append(const std::vector<std::string>& from, std::vector<std::string>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

void add_lines(const std::vector<std::string>& lines, std::vector<std::string>& notes) {
  const size_t shown = lines.size() <= kMostLines + 1 ? lines.size() : kMostLines;
  notes.insert(notes.end(), lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown));
  if (shown < lines.size())
    notes.push_back("and " + std::to_string(lines.size() - shown) +
                    " more lines about traces (tauprof import says all)");
}

}  // namespace

Status OpenedInputs::open(const std::vector<std::string>& paths, Progress* progress, std::vector<std::string>& notes) {
  InputFiles found;
  for (const std::string& path : paths)
    if (Status status = add_path(path, found, notes); !status.is_ok()) return status;
  return found.files.empty() ? Status::ok() : import(found, progress, notes);
}

Status OpenedInputs::add_path(const std::string& path, InputFiles& found, std::vector<std::string>& notes) {
  std::error_code ignored;
  if (holds_logs(path)) {
    logs_.push_back(path);
    add_timelines_beside(path);
    return Status::ok();
  }
  return std::filesystem::is_directory(path, ignored) ? add_folder(path, found, notes) : add_file(path, found);
}

void OpenedInputs::add_timelines_beside(const std::string& folder) {
  std::error_code error;
  const size_t known = timelines_.size();
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == log::kTimelineSuffix && !entry->path().filename().string().starts_with("."))
      timelines_.push_back(entry->path().string());
  std::sort(timelines_.begin() + static_cast<std::ptrdiff_t>(known), timelines_.end());
}

// A file that the user names is taken to be an input: JSON that does not look like a trace is imported all the same,
// and the import says what is missing.
Status OpenedInputs::add_file(const std::string& path, InputFiles& found) {
  InputFiles inputs;
  if (Status status = find_inputs(path, inputs); !status.is_ok()) return status;
  if (!inputs.others.empty() && input_kind(path) == InputKind::kJson) std::swap(inputs.others, inputs.doubtful);
  append(inputs.others, logs_);  // the reader of logs says why it is none
  for (const std::string& file : inputs.doubtful) found.files.push_back({file, InputKind::kTrace});
  for (const InputFile& file : inputs.files) {
    if (file.kind == InputKind::kLog)
      logs_.push_back(path);
    else if (file.kind == InputKind::kTimelines)
      timelines_.push_back(path);
    else if (is_imported(file.kind))
      found.files.push_back(file);
    else if (file.kind == InputKind::kNsysReport)
      return Status::error(what_makes(path));
    else
      return Status::error(path +
                           ": a report that tauprof wrote, with no events to analyse; give the logs it is about");
  }
  return Status::ok();
}

Status OpenedInputs::add_folder(const std::string& path, InputFiles& found, std::vector<std::string>& notes) {
  InputFiles inputs;
  if (Status status = find_inputs(path, inputs); !status.is_ok()) return status;
  const size_t known = logs_.size() + found.files.size();
  append(inputs.log_folders, logs_);
  append(inputs.of(InputKind::kLog), logs_);
  append(inputs.of(InputKind::kTimelines), timelines_);
  const bool has_logs = known < logs_.size() + found.files.size() || !inputs.of(InputKind::kTimelines).empty();
  std::vector<InputFile> traces;
  for (const InputFile& file : inputs.files)
    if (is_imported(file.kind)) traces.push_back(file);
  if (has_logs && !traces.empty())
    notes.push_back(path + ": holds logs, which are read, and " + counted(traces.size(), "trace", "traces") +
                    ", not read; name " + (traces.size() == 1 ? "it" : "them") + " to read " +
                    (traces.size() == 1 ? "it" : "them"));
  if (has_logs) return Status::ok();
  found.files.insert(found.files.end(), traces.begin(), traces.end());
  if (!inputs.of(InputKind::kTrace).empty())
    for (const std::string& file : inputs.doubtful) found.files.push_back({file, InputKind::kTrace});
  const std::vector<std::string> reports = inputs.of(InputKind::kNsysReport);
  if (traces.empty() && !reports.empty()) return Status::error(what_makes(reports.front()));
  if (traces.empty()) logs_.push_back(path);  // the reader of logs says that there is nothing
  return Status::ok();
}

Status OpenedInputs::import(const InputFiles& found, Progress* progress, std::vector<std::string>& notes) {
  if (Status status = folder_.open_temporary(); !status.is_ok())
    return Status::error(status.message() + "; set TMPDIR to a folder that can be written to");
  LogPlace place(folder_.hidden());
  place.is_private = true;
  place.progress = progress;
  Status failure = Status::ok();
  for (const ImportFormat& format : import_formats()) {
    ImportRequest request{found.of(format.kind), place, check_operations};
    if (request.sources.empty()) continue;
    std::sort(request.sources.begin(), request.sources.end());
    ImportResult result;
    Status status = format.import(request, result);
    add_lines(result.messages, notes);
    failed_files_ += result.failed_files;
    damaged_files_ += result.damaged_files;
    for (size_t i = 0; i < result.logs.size(); ++i) sources_[result.logs[i]] = result.sources[i];
    if (!status.is_ok() && !failure.is_ok()) notes.push_back(failure.message());
    if (!status.is_ok()) failure = std::move(status);
  }
  if (!sources_.empty()) logs_.push_back(folder_.hidden());
  if (!failure.is_ok() && !logs_.empty()) notes.push_back(failure.message());
  if (!logs_.empty()) return Status::ok();
  return failure.is_ok() ? Status::error(found.files.front().path + ": no trace that can be read") : failure;
}

std::string OpenedInputs::name_of(const std::string& file) const {
  const auto source = sources_.find(file);
  return source == sources_.end() ? file : source->second;
}

std::string OpenedInputs::in_words(std::string text) const {
  for (const auto& [log, source] : sources_)
    for (size_t at = text.find(log); at != text.npos; at = text.find(log, at + source.size()))
      text.replace(at, log.size(), source);
  return text;
}

}  // namespace tauprof
