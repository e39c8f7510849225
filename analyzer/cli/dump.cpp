// tauprof dump: prints the records of one log as text, one per line.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "model/terminal_text.h"
#include "pipeline/opened_inputs.h"
#include "read/fixed_text.h"
#include "read/log_directory.h"
#include "read/log_reader.h"
#include "read/record_names.h"

namespace tauprof {
namespace {

using log::RecordKind;

struct DumpOptions {
  std::string file;
  std::string kind;
  uint64_t limit = std::numeric_limits<uint64_t>::max();
};

// "call", or "kind#77" for a kind that this version does not know.
std::string kind_label(RecordKind kind) {
  const std::string_view name = record_name(kind);
  return name.empty() ? fmt::format("kind#{}", static_cast<uint16_t>(kind)) : std::string(name);
}

std::optional<RecordKind> parse_kind(std::string_view text) {
  constexpr std::string_view kPrefix = "kind#";
  if (!text.starts_with(kPrefix)) return record_kind_named(text);
  uint16_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + kPrefix.size(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return static_cast<RecordKind>(number);
}

// A record may refer to a text of megabytes, and so may all others: references show its start. The text's own record
// shows all of it.
constexpr size_t kLongestReference = 2048;

std::string quoted(std::string_view text) {
  std::string spelled;
  for (const char c : text) {
    if (c == '"' || c == '\\') spelled += '\\';
    spelled += c;
  }
  return '"' + terminal_bytes(spelled) + '"';
}

std::string quoted_reference(std::string_view text) {
  return text.size() <= kLongestReference ? quoted(text) : quoted(text.substr(0, kLongestReference)) + "...";
}

void append(fmt::memory_buffer& out, std::string_view text) { out.append(text.data(), text.data() + text.size()); }

class Dump {
 public:
  explicit Dump(const DumpOptions& options) : options_(options), left_(options.limit) {}

  Status run(std::optional<RecordKind> only);

 private:
  Status collect_texts();
  void print_header(const log::FileHeader& header);
  void print_block(const RecordBlock& block);
  void print_value(RecordKind kind, uint16_t column, int64_t value);
  void print_text(int64_t id);
  void print_damage(const LogLoss& loss);
  void write_out();

  const DumpOptions& options_;
  uint64_t left_;
  bool is_damaged_ = false;
  std::unordered_map<int64_t, std::string> texts_;  // as references show them
  fmt::memory_buffer out_;
};

Status Dump::run(std::optional<RecordKind> only) {
  if (Status status = collect_texts(); !status.is_ok()) return status;
  std::unique_ptr<LogReader> reader;
  if (Status status = LogReader::open(options_.file, reader); !status.is_ok()) return status;
  reader->keep_unknown_kinds();
  print_header(reader->header());
  RecordBlock block;
  while (left_ > 0 && reader->next(block)) {
    // A recap only repeats earlier records, which matters where those were lost.
    if ((!only || *only == block.kind()) && (!block.is_recap() || is_damaged_)) print_block(block);
    write_out();
  }
  return Status::ok();
}

// Ids are resolved from the whole file: in a damaged one, a text may survive only in the recap at the end.
Status Dump::collect_texts() {
  std::unique_ptr<LogReader> reader;
  if (Status status = LogReader::open(options_.file, reader); !status.is_ok()) return status;
  RecordBlock block;
  while (reader->next(block)) {
    if (block.kind() != RecordKind::kString) continue;
    const Column id = block.column(&log::String::id);
    for (uint32_t row = 0; row < block.records(); ++row)
      texts_.insert_or_assign(id[row], quoted_reference(block.text(row)));
  }
  is_damaged_ = !reader->loss().regions.empty();
  print_damage(reader->loss());
  return Status::ok();
}

void Dump::print_header(const log::FileHeader& header) {
  fmt::format_to(std::back_inserter(out_), "# tauprof log version {}, clock {}, start_time_ns {}, pid {}, host ",
                 header.version, clock_name(header.clock), header.start_time_ns, header.pid);
  append(out_, quoted(fixed_text(header.host)));
  fmt::format_to(std::back_inserter(out_), ", run ");
  append(out_, quoted(fixed_text(header.run_id)));
  fmt::format_to(std::back_inserter(out_), "\n# columns that are 0 are left out\n");
}

void Dump::print_block(const RecordBlock& block) {
  const std::string label = kind_label(block.kind());
  const uint16_t columns = record_name(block.kind()).empty() ? log::kMaxColumns : column_count(block.kind());
  for (uint32_t row = 0; row < block.records() && left_ > 0; ++row, --left_) {
    out_.append(label.data(), label.data() + label.size());
    for (uint16_t column = 0; column < columns; ++column) print_value(block.kind(), column, block.column(column)[row]);
    if (block.kind() == RecordKind::kString) {
      fmt::format_to(std::back_inserter(out_), " text=");
      append(out_, quoted(block.text(row)));
    }
    fmt::format_to(std::back_inserter(out_), "{}\n", block.is_recap() ? " (recap)" : "");
    if (out_.size() > 1 << 20) write_out();
  }
}

void Dump::print_value(RecordKind kind, uint16_t column, int64_t value) {
  if (value == 0) return;
  const std::string_view name = column_name(kind, column);
  if (name.empty()) {
    fmt::format_to(std::back_inserter(out_), " column#{}={}", column, value);
    return;
  }
  fmt::format_to(std::back_inserter(out_), " {}=", name);
  const std::string_view meaning = value_name(kind, column, value);
  if (holds_texts(kind, column)) {
    print_text(value);
  } else if (!meaning.empty()) {
    out_.append(meaning.data(), meaning.data() + meaning.size());
  } else {
    fmt::format_to(std::back_inserter(out_), "{}", value);
  }
}

void Dump::print_text(int64_t id) {
  const auto found = texts_.find(id);
  if (found != texts_.end()) {
    append(out_, found->second);
  } else {
    fmt::format_to(std::back_inserter(out_), "text#{}", id);
  }
}

void Dump::print_damage(const LogLoss& loss) {
  for (const LogDamage& region : loss.regions)
    fmt::print(stderr, "# damage at byte {}, {} bytes: {}\n", region.offset, region.bytes, region.what);
  if (loss.lost_records > 0) fmt::print(stderr, "# {} records lost\n", loss.lost_records);
  if (loss.is_cut_short) fmt::print(stderr, "# no end record: the log is cut short, or still being written\n");
}

void Dump::write_out() {
  fwrite(out_.data(), 1, out_.size(), stdout);
  out_.clear();
}

// The file that a dump is about: a log, of a trace what was imported of it, or a file of timelines.
Status one_log(const OpenedInputs& inputs, std::string& file) {
  std::vector<std::string> files = inputs.timelines();
  if (files == std::vector{file} || inputs.logs() == std::vector{file}) return Status::ok();
  if (!inputs.logs().empty()) {
    LogDirectory found;
    if (Status status = find_logs(inputs.logs(), found); !status.is_ok()) return status;
    for (const LogRun& run : found.runs) files.insert(files.end(), run.files.begin(), run.files.end());
  }
  if (files.size() > 1) return Status::error(file + ": holds several logs or traces; a dump is about one");
  file = files.front();
  return Status::ok();
}

int dump(const DumpOptions& options) {
  std::optional<RecordKind> only;
  if (!options.kind.empty()) only = parse_kind(options.kind);
  OpenedInputs inputs;
  std::vector<std::string> notes;
  Status status = inputs.open({options.file}, nullptr, notes);
  for (const std::string& note : notes) spdlog::warn(note);
  DumpOptions of_log = options;
  if (status.is_ok()) status = one_log(inputs, of_log.file);
  if (status.is_ok()) status = Dump(of_log).run(only);
  if (status.is_ok()) return kDone;
  spdlog::error(inputs.in_words(status.message()));
  return kNothingUsable;
}

}  // namespace

void add_dump_command(CommandLine& line) {
  Command command = line.add("dump", "Print the records of a log as text");
  const auto options = std::make_shared<DumpOptions>();
  command.option("FILE", options->file, "The log; or a trace, whose log is made first").required();
  command
      .option("--kind KIND", options->kind,
              ("Only records of this kind: " + fmt::format("{}", fmt::join(record_names(), ", "))).c_str())
      .suggests(record_names())
      .check([](const std::string& kind) {
        if (kind.empty() || parse_kind(kind)) return std::string();
        return fmt::format("no record kind '{}'; the kinds are {}", kind, fmt::join(record_names(), ", "));
      });
  command.option("--limit", options->limit, "At most this many records");
  command.footer("Example: tauprof dump --kind collective --limit 20 logs/host-1234-5678.tauprof");
  command.run([options] { return dump(*options); });
}

}  // namespace tauprof
