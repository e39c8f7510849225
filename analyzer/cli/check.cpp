// tauprof check: says whether logs are whole, one line per file.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/progress_line.h"
#include "model/terminal_text.h"
#include "pipeline/opened_inputs.h"
#include "read/log_reader.h"
#include "read/record_rows.h"

namespace tauprof {
namespace {

// The recorder's own account of the log's gaps: its drops by reason (a text id), and that the process was about to
// replace itself.
struct RecorderWords {
  std::map<int64_t, uint64_t> dropped;
  std::map<int64_t, std::string> texts;
  std::set<int64_t> attributes;  // the text ids of their names

  void take(const RecordBlock& block);
  std::string describe_drops() const;
  bool has_replaced_itself() const;
};

void RecorderWords::take(const RecordBlock& block) {
  if (block.kind() == log::RecordKind::kString) {
    const Column id = block.column(&log::String::id);
    for (uint32_t row = 0; row < block.records(); ++row) texts.insert_or_assign(id[row], block.text(row));
  }
  for_rows_of<log::Drop>(block, [this](const log::Drop& row) {
    dropped[row.reason] += static_cast<uint64_t>(std::max<int64_t>(row.count, 0));
  });
  for_rows_of<log::Attribute>(block, [this](const log::Attribute& row) { attributes.insert(row.name); });
}

bool RecorderWords::has_replaced_itself() const {
  return std::any_of(attributes.begin(), attributes.end(), [this](int64_t id) {
    const auto name = texts.find(id);
    return name != texts.end() && name->second == log::kReplacedItself;
  });
}

std::string RecorderWords::describe_drops() const {
  std::string text;
  for (const auto& [reason, count] : dropped) {
    const auto name = texts.find(reason);
    text += fmt::format("; the recorder dropped {} ({})", count,
                        name == texts.end() ? std::string_view("no reason given") : name->second);
  }
  return text;
}

struct FileVerdict {
  bool is_usable = false;
  bool is_clean = false;
  std::string line;
};

std::string describe_loss(const LogLoss& loss, bool has_replaced_itself) {
  if (loss.regions.empty() && loss.lost_records == 0)
    return has_replaced_itself
               ? "cut short: no end record; the process replaced itself by another program (execve)"
               : "cut short: no end record; the process was killed or is still running, or the file was truncated";
  const LogDamage* const first = loss.regions.empty() ? nullptr : &loss.regions.front();
  std::string text = fmt::format("damaged: {} {}, {} bytes and {} records lost", loss.regions.size(),
                                 loss.regions.size() == 1 ? "place" : "places", loss.lost_bytes, loss.lost_records);
  if (first != nullptr) text += fmt::format("; first at byte {}: {}", first->offset, first->what);
  if (loss.is_cut_short) text += "; cut short: no end record";
  return text;
}

FileVerdict check_file(const std::string& path) {
  std::unique_ptr<LogReader> reader;
  if (Status status = LogReader::open(path, reader); !status.is_ok()) return {false, false, status.message()};
  uint64_t blocks = 0, records = 0;
  RecorderWords words;
  RecordBlock block;
  while (reader->next(block)) {
    ++blocks;
    words.take(block);
    if (!block.is_recap()) records += block.records();
  }
  const LogLoss& loss = reader->loss();
  const bool is_clean = loss.regions.empty() && loss.lost_records == 0 && !loss.is_cut_short;
  std::string line = fmt::format("{}: {}; {} blocks, {} records read", path,
                                 is_clean ? "ok" : describe_loss(loss, words.has_replaced_itself()), blocks, records);
  if (loss.unknown_blocks > 0) line += fmt::format("; {} blocks of unknown kinds skipped", loss.unknown_blocks);
  return {true, is_clean, line + words.describe_drops()};
}

// The logs that the arguments name; a directory stands for the logs in it. `problems` gets a line for each directory
// that has none or cannot be listed.
std::vector<std::string> list_logs(const std::vector<std::string>& arguments, std::vector<std::string>& problems) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& argument : arguments) {
    std::error_code error;
    if (!fs::is_directory(argument, error)) {
      files.push_back(argument);
      continue;
    }
    std::vector<std::string> found;
    fs::directory_iterator entry(argument, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error))
      if (entry->path().extension() == log::kFileSuffix) found.push_back(entry->path().string());
    if (error) problems.push_back(argument + ": cannot be listed: " + error.message());
    if (!error && found.empty()) problems.push_back(argument + ": has no *.tauprof files; name a log directory");
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

// A trace is whole where all of it can be imported; what cannot has its lines.
int check(const std::vector<std::string>& arguments) {
  OpenedInputs inputs;
  std::vector<std::string> problems;
  const Status opened = with_progress([&](Progress* progress) { return inputs.open(arguments, progress, problems); });
  if (!opened.is_ok()) problems.push_back(opened.message());
  bool is_any_usable = false, is_all_clean = opened.is_ok() && inputs.damaged_files() + inputs.failed_files() == 0;
  const size_t said_of_traces = problems.size();
  std::vector<std::string> files = list_logs(inputs.logs(), problems);
  files.insert(files.end(), inputs.timelines().begin(), inputs.timelines().end());
  is_all_clean &= problems.size() == said_of_traces;
  for (const std::string& problem : problems) fmt::print("{}\n", terminal_text(problem));
  for (const std::string& file : files) {
    const FileVerdict verdict = check_file(file);
    fmt::print("{}\n", terminal_text(inputs.in_words(verdict.line)));
    fflush(stdout);
    is_any_usable = is_any_usable || verdict.is_usable;
    is_all_clean = is_all_clean && verdict.is_clean;
  }
  if (!is_any_usable) return kNothingUsable;
  return is_all_clean ? kDone : kDamageFound;
}

}  // namespace

void add_check_command(CommandLine& line) {
  Command command = line.add("check", "Say whether logs are whole and what was lost");
  const auto paths = std::make_shared<std::vector<std::string>>();
  command.option("DIR_OR_FILE", *paths, "Logs, traces, or directories of them").required();
  command.footer("Example: tauprof check tauprof-logs || echo damaged");
  command.run([paths] { return check(*paths); });
}

}  // namespace tauprof
