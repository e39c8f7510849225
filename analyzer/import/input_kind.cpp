#include "import/input_kind.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <string_view>

#include "import/file_start.h"
#include "import/nsys/database.h"
#include "import/operations/operation_rows.h"
#include "log/format.h"

namespace tauprof {
namespace {

bool is_log(FileStart& start) {
  return start.text().starts_with(std::string_view(log::kFileMagic, sizeof(log::kFileMagic)));
}

bool is_log_of_timelines(FileStart& start) {
  log::FileHeader header{};
  std::memcpy(&header, start.text().data(), std::min(start.text().size(), sizeof header));
  return is_log(start) && (header.required_features & log::kFeatureTimelines) != 0;
}

bool is_json(FileStart& start) {
  const std::string_view text = start.text_without_space();
  return text.starts_with('{') || text.starts_with('[');
}

bool is_report(FileStart& start) { return is_json(start) && start.has("\"tauprof.report/"); }

// Members that precede the events of a trace. Other JSON, such as a data set, is not read any further.
constexpr std::string_view kMembersOfTraces[] = {"\"schemaVersion\"", "\"deviceProperties\"", "\"distributedInfo\"",
                                                 "\"displayTimeUnit\"", "\"baseTimeNanoseconds\""};

bool is_trace(FileStart& start) {
  if (!is_json(start)) return false;
  if (start.text_without_space().starts_with('[')) return start.has("\"ph\"");
  const bool may_be_trace = std::any_of(std::begin(kMembersOfTraces), std::end(kMembersOfTraces),
                                        [&](std::string_view member) { return start.has(member); });
  do
    if (start.has("\"traceEvents\"")) return true;
  while (may_be_trace && start.read_more());
  return false;
}

bool is_database_of_nsys(FileStart& start) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::unique_ptr<nsys::Database> database;
  return start.text().starts_with(kMagic) &&
         nsys::Database::open(start.path(), database, nsys::Database::kSchemaOnly).is_ok() && database->is_of_nsys();
}

bool is_operation_trace(FileStart& start) {
  const std::string_view text = start.text_without_space();
  return !is_json(start) && is_heading_of_operations(text.substr(0, text.find_first_of("\r\n")));
}

// The format of nsys' own files is not public. They are only refused, so their names are enough.
bool has_name_of_nsys(FileStart& start) {
  return start.path().ends_with(".nsys-rep") || start.path().ends_with(".qdrep");
}

struct Recognition {
  InputKind kind;
  bool (*is_one)(FileStart& start);
};

// The first that says yes is right.
constexpr Recognition kRecognitions[] = {
    {InputKind::kTimelines, is_log_of_timelines},
    {InputKind::kLog, is_log},
    {InputKind::kReport, is_report},
    {InputKind::kTrace, is_trace},
    {InputKind::kNsysDatabase, is_database_of_nsys},
    {InputKind::kOperations, is_operation_trace},
    {InputKind::kJson, is_json},
    {InputKind::kNsysReport, has_name_of_nsys},
};

}  // namespace

InputKind input_kind(const std::string& path) {
  FileStart start;
  if (!start.open(path).is_ok()) return InputKind::kUnreadable;
  const auto found = std::find_if(std::begin(kRecognitions), std::end(kRecognitions),
                                  [&](const Recognition& kind) { return kind.is_one(start); });
  return found == std::end(kRecognitions) ? InputKind::kOther : found->kind;
}

}  // namespace tauprof
