#include "import/operations/operation_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tauprof {
namespace {

enum Column : uint8_t {
  kDpRank,
  kStage,
  kRank,
  kStep,
  kType,
  kStart,
  kDuration,
  kSequence,
  kChunk,
  kModelChunk,
  kMicroBatch
};
constexpr std::array<std::string_view, 11> kColumnNames = {"dp_rank",  "stage",  "rank", "step", "optype", "start_ts",
                                                           "duration", "seq_id", "mc",   "gmc",  "mb_id"};
constexpr size_t kLongestQuote = 40;  // of a value that an error message shows

// Without the mark that some tools put at the start of a text.
std::string_view without_mark(std::string_view name) {
  if (name.starts_with("\xEF\xBB\xBF")) name.remove_prefix(3);
  return name;
}

// "stage, rank"; empty: the heading has all columns that an operation trace needs.
std::string missing_columns(const std::vector<std::string_view>& heading) {
  std::string missing;
  for (size_t column = 0; column < kColumnNames.size(); ++column) {
    const auto is_it = [&](std::string_view name) { return without_mark(name) == kColumnNames[column]; };
    if (column != kMicroBatch && std::none_of(heading.begin(), heading.end(), is_it))
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", kColumnNames[column]);
  }
  return missing;
}

// An integer, which some tools write as "3.0".
bool parse(std::string_view text, int64_t& value) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc()) return false;
  return rest == end || (*rest == '.' && std::all_of(rest + 1, end, [](char c) { return c == '0'; }));
}

bool parse(std::string_view text, int32_t& value) {
  int64_t number;
  if (!parse(text, number)) return false;
  value = row_number(number);
  return true;
}

bool parse(std::string_view text, double& value) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end;
}

class RowReader {
 public:
  RowReader(CsvReader& table, OperationTrace& trace) : table_(table), trace_(trace) {}

  Status run() {
    std::vector<std::string_view> fields;
    if (!table_.next(fields)) return end_of_table("the file is empty");
    if (Status status = read_heading(fields); !status.is_ok()) return status;
    while (table_.next(fields))
      if (Status status = read_row(fields); !status.is_ok()) return status;
    return end_of_table(trace_.is_empty() ? "no rows below the heading" : "");
  }

 private:
  Status end_of_table(const char* complaint) const {
    if (!table_.status().is_ok()) return Status::error(table_.status().message() + "; copy or export the trace again");
    return *complaint == '\0' ? Status::ok() : Status::error(std::string(complaint) + "; export the trace again");
  }

  Status read_heading(const std::vector<std::string_view>& fields) {
    field_count_ = fields.size();
    for (size_t field = 0; field < fields.size(); ++field) {
      const auto column = std::find(kColumnNames.begin(), kColumnNames.end(), without_mark(fields[field]));
      if (column != kColumnNames.end()) field_of_[static_cast<size_t>(column - kColumnNames.begin())] = field;
    }
    const std::string missing = missing_columns(fields);
    if (missing.empty()) return Status::ok();
    return Status::error(fmt::format("the heading lacks {}; an operation trace has the columns {}", missing,
                                     fmt::join(kColumnNames, ", ")));
  }

  Status read_row(const std::vector<std::string_view>& fields) {
    const size_t number = trace_.rows.size() + 1;
    if (fields.size() != field_count_)
      return Status::error(fmt::format("row {}: {} values under {} headings; export the trace again", number,
                                       fields.size(), field_count_));
    OperationRow row;
    const Column bad = read_values(fields, row);
    if (bad != kType)
      return Status::error(fmt::format("row {}: {} is '{}', which is no number; correct it or export the trace again",
                                       number, kColumnNames[bad], fields[*field_of_[bad]].substr(0, kLongestQuote)));
    row.type = type_of(fields[*field_of_[kType]]);
    trace_.rows.push_back(row);
    return Status::ok();
  }

  // The column that cannot be read; kType, which holds no number: all can.
  Column read_values(const std::vector<std::string_view>& fields, OperationRow& row) const {
    const auto is_read = [&](Column column, auto& value) { return parse(fields[*field_of_[column]], value); };
    const auto is_read_or_none = [&](Column column, int32_t& value) {
      return !field_of_[column] || fields[*field_of_[column]].empty() || is_read(column, value);
    };
    if (!is_read(kDpRank, row.dp_rank)) return kDpRank;
    if (!is_read(kStage, row.stage)) return kStage;
    if (!is_read(kRank, row.rank)) return kRank;
    if (!is_read(kStep, row.step)) return kStep;
    if (!is_read(kStart, row.start_s)) return kStart;
    if (!is_read(kDuration, row.duration_s)) return kDuration;
    if (!is_read(kSequence, row.sequence)) return kSequence;
    if (!is_read_or_none(kChunk, row.chunk)) return kChunk;
    if (!is_read_or_none(kModelChunk, row.model_chunk)) return kModelChunk;
    if (!is_read_or_none(kMicroBatch, row.micro_batch)) return kMicroBatch;
    return kType;
  }

  uint32_t type_of(std::string_view name) {
    if (!trace_.types.empty() && trace_.types[last_type_] == name) return last_type_;
    const auto [known, is_new] = types_.try_emplace(std::string(name), static_cast<uint32_t>(trace_.types.size()));
    if (is_new) trace_.types.emplace_back(name);
    return last_type_ = known->second;
  }

  CsvReader& table_;
  OperationTrace& trace_;
  std::array<std::optional<size_t>, kColumnNames.size()> field_of_;
  size_t field_count_ = 0;
  std::unordered_map<std::string, uint32_t> types_;
  uint32_t last_type_ = 0;
};

}  // namespace

Status read_operation_rows(CsvReader& table, OperationTrace& trace) { return RowReader(table, trace).run(); }

bool is_heading_of_operations(std::string_view line) {
  std::vector<std::string_view> fields;
  while (!line.empty()) {
    std::string_view name = line.substr(0, line.find(','));
    line.remove_prefix(std::min(line.size(), name.size() + 1));
    if (name.size() >= 2 && name.starts_with('"') && name.ends_with('"')) name = name.substr(1, name.size() - 2);
    fields.push_back(name);
  }
  return missing_columns(fields).empty();
}

}  // namespace tauprof
