#include "import/operations/import_operations.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "import/byte_source.h"
#include "import/input_files.h"
#include "import/log_place.h"
#include "import/operations/csv_reader.h"
#include "import/operations/operation_rows.h"
#include "log/writer.h"
#include "model/file_name.h"
#include "model/status.h"

namespace tauprof {
namespace {

constexpr size_t kMostBytes = 1u << 20;  // a description has some hundred
constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t start = text.find_first_not_of(kBlanks);
  return start == text.npos ? "" : text.substr(start, text.find_last_not_of(kBlanks) - start + 1);
}

// Without quotes and a comment behind it.
std::string_view value_of(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && (text.front() == '"' || text.front() == '\'')) {
    const size_t end = text.find(text.front(), 1);
    return end == text.npos ? text : text.substr(1, end - 1);
  }
  if (text.starts_with('#')) return {};
  return trimmed(text.substr(0, text.find(" #")));
}

void read_line(std::string_view line, std::map<std::string, std::string>& job) {
  const size_t colon = line.find(':');
  if (line.empty() || colon == line.npos || kBlanks.find(line.front()) != kBlanks.npos || line.front() == '#') return;
  const std::string_view key = trimmed(line.substr(0, colon)), value = value_of(line.substr(colon + 1));
  if (!key.empty() && !value.empty()) job.insert_or_assign(std::string(key), std::string(value));
}

// The description of a job beside its operation trace (meta.yaml): flat keys and values, such as "dp_size: 4".
//
// Fails if the file cannot be read. Lines that are no key and value, such as nested ones, are left out.
Status read_job_description(const std::string& path, std::map<std::string, std::string>& job) {
  std::unique_ptr<kineto::ByteSource> source;
  if (Status status = kineto::ByteSource::open(path, source); !status.is_ok())
    return Status::error(path + ": " + status.message() +
                         "; an operation trace needs the description of its job there");
  std::string text(kMostBytes, '\0');
  size_t size = 0;
  while (const size_t got = source->read(text.data() + size, text.size() - size)) size += got;
  if (!source->status().is_ok()) return Status::error(path + ": " + source->status().message());
  if (size == text.size()) return Status::error(path + ": longer than 1 MiB, so no description of a job");
  std::string_view rest(text.data(), size);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    read_line(line, job);
  }
  return Status::ok();
}

namespace fs = std::filesystem;

constexpr char kDescription[] = "meta.yaml";

bool is_table(const std::string& name) { return name.ends_with(".csv") || name.ends_with(".csv.gz"); }

Status no_trace(const std::string& source, std::string_view why) {
  return Status::error(
      fmt::format("{}: {}; give an operation trace (.csv or .csv.gz) with {} beside it, or its directory", source, why,
                  kDescription));
}

// The only table of a directory.
Status find_table(const std::string& source, fs::path& table) {
  std::error_code error;
  const fs::file_status status = fs::status(source, error);
  if (!fs::exists(status)) return no_trace(source, error ? error.message() : "no such file or directory");
  table = source;
  if (!fs::is_directory(status)) return Status::ok();
  InputFiles inputs;
  if (Status found = find_inputs(source, inputs); !found.is_ok()) return found;
  std::vector<std::string> tables = inputs.of(InputKind::kOperations);
  // Its heading is not one of an operation trace, which is said when it is read.
  if (tables.empty()) std::copy_if(inputs.others.begin(), inputs.others.end(), std::back_inserter(tables), is_table);
  if (tables.size() == 1) table = tables.front();
  if (tables.size() == 1) return Status::ok();
  return no_trace(source, tables.empty() ? "the directory holds no table" : "the directory holds several tables");
}

Status read_trace(const fs::path& table, OperationTrace& trace) {
  const std::string path = table.string();
  std::unique_ptr<kineto::ByteSource> source;
  if (Status status = kineto::ByteSource::open(path, source); !status.is_ok())
    return Status::error(path + ": " + status.message());
  CsvReader reader(std::move(source));
  const Status status = read_operation_rows(reader, trace);
  return status.is_ok() ? status : Status::error(path + ": " + status.message());
}

class LogOfOperations {
 public:
  LogOfOperations(const OperationTrace& trace, const fs::path& table, const LogPlace& place, const std::string& folder)
      : trace_(trace), table_(table), place_(place), folder_(folder) {}

  Status write(std::string& name) {
    const std::string stem = stem_of(file_name(table_.string()));
    const std::string hidden = fmt::format("{}/.{}.{}.partial", folder_, stem, getpid());
    log::FileHeader header{};
    header.clock = static_cast<uint32_t>(log::Clock::kTrace);
    // In a private place, what the table is called tells its run from those of other tables.
    const std::string id =
        import_id(place_, "ops-csv") + (place_.is_private ? "-" + (table_.parent_path() / stem).string() : "");
    memcpy(header.run_id, id.data(), std::min(id.size(), sizeof(header.run_id) - 1));
    if (writer_.open(hidden.c_str(), header)) {
      write_facts();
      write_rows();
      if (writer_.close(0, "imported")) name = publish_log(hidden, place_.directory, stem);
    }
    if (!name.empty()) return Status::ok();
    unlink(hidden.c_str());
    return Status::error(fmt::format("{}: the log cannot be written: {}; choose another directory with -o",
                                     place_.directory, strerror(writer_.error() != 0 ? writer_.error() : errno)));
  }

 private:
  static std::string stem_of(std::string_view name) {
    for (const std::string_view suffix : {".gz", ".csv"})
      if (name.size() > suffix.size() && name.ends_with(suffix)) name.remove_suffix(suffix.size());
    return std::string(name);
  }

  int64_t text(std::string_view value) { return writer_.intern(value.data(), value.size()); }

  void attribute(std::string_view name, std::string_view value) {
    log::Attribute record;
    record.name = text(name);
    record.value = text(value);
    writer_.append(record);
  }

  void write_facts() {
    attribute("source", "ops-csv");
    attribute("source_file", table_.string());
    attribute(kSourceDigest, source_digest(table_.string()));
    for (const auto& [name, value] : trace_.job) attribute(kJobFactPrefix + name, value);
  }

  void write_rows() {
    std::vector<int64_t> types;
    for (const std::string& type : trace_.types) types.push_back(text(type));
    for (const OperationRow& row : trace_.rows)
      writer_.append(log::JobOperation{row.step, row.dp_rank, row.stage, row.rank, types[row.type], row.sequence,
                                       std::bit_cast<int64_t>(row.start_s), std::bit_cast<int64_t>(row.duration_s),
                                       row.chunk, row.model_chunk, row.micro_batch});
  }

  const OperationTrace& trace_;
  const fs::path& table_;
  const LogPlace& place_;
  const std::string& folder_;  // for a log that is not complete
  log::Writer writer_;
};

// Neighbours mostly have the same value.
template <class Value>
size_t distinct(const OperationTrace& trace, Value OperationRow::*field) {
  std::set<Value> values;
  const OperationRow* last = nullptr;
  for (const OperationRow& row : trace.rows) {
    if (last == nullptr || row.*field != last->*field) values.insert(row.*field);
    last = &row;
  }
  return values.size();
}

}  // namespace

Status import_operations(const std::string& source, const LogPlace& place,
                         const std::function<Status(const OperationTrace&)>& check, OperationImport& result) {
  fs::path table;
  OperationTrace trace;
  if (Status status = find_table(source, table); !status.is_ok()) return status;
  if (Status status = refuse_known(place, {table.string()}); !status.is_ok()) return status;
  if (Status status = read_job_description((table.parent_path() / kDescription).string(), trace.job); !status.is_ok())
    return status;
  if (Status status = read_trace(table, trace); !status.is_ok()) return status;
  if (Status status = check(trace); !status.is_ok()) return Status::error(table.string() + ": " + status.message());
  std::string folder;
  if (Status status = prepare(place, folder); !status.is_ok()) return status;
  if (Status status = LogOfOperations(trace, table, place, folder).write(result.log); !status.is_ok()) return status;
  result.table = table.string();
  result.operations = trace.rows.size();
  result.ranks = distinct(trace, &OperationRow::rank);
  result.steps = distinct(trace, &OperationRow::step);
  return Status::ok();
}

}  // namespace tauprof
