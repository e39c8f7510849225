#include "read/record_names.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace tauprof {
namespace {

using log::RecordKind;

using ValueNames = std::vector<std::string_view>;  // by value; 0 means "not known" in nearly all of them

struct Record {
  std::string_view name;
  std::vector<std::string_view> columns;
};

// By kind; a number that is no kind has no name.
const std::vector<Record>& records() {
  static const std::vector<Record> table = [] {
    std::vector<Record> made;
    Record record;
#define TAUPROF_RECORD(number, Type, record_name, role)   \
  made.resize(std::max<size_t>(made.size(), number + 1)); \
  record = {#record_name, {}};
#define TAUPROF_COLUMN(column_name, form) record.columns.push_back(#column_name);
#define TAUPROF_RECORD_END() made.back() = record;
#include "log/schema.def"
    return made;
  }();
  return table;
}

const Record* find_record(RecordKind kind) {
  const auto number = static_cast<size_t>(kind);
  return number < records().size() && !records()[number].name.empty() ? &records()[number] : nullptr;
}

// Spelled as in the C++ names of the format. Reports spell operations and types as NCCL does:
// model/operation_names.h.
const ValueNames kActivities = {"", "kernel", "memcpy", "memset", "graph", "synchronization"};
const ValueNames kGraphItems = {"", "nodes", "kernel", "copy", "fill", "gemm", "conditional"};
const ValueNames kCopies = {"",        "host_to_host", "host_to_device", "device_to_host", "device_to_device",
                            "default", "peer_to_peer"};
const ValueNames kHostMemories = {"", "pageable", "pinned"};
const ValueNames kOperations = {"",          "all_reduce",   "all_gather", "reduce_scatter", "all_to_all",
                                "broadcast", "reduce",       "gather",     "scatter",        "send",
                                "receive",   "send_receive", "barrier"};
const ValueNames kDataTypes = {"",        "int8",      "uint8",      "int32",    "uint32",      "int64",       "uint64",
                               "float16", "float32",   "float64",    "bfloat16", "float8_e4m3", "float8_e5m2", "tf32",
                               "int16",   "complex64", "complex128", "float4"};
const ValueNames kSources = {"", "nvtx", "nvtx_process", "annotation", "operator", "python", "profiler", "framework"};
const ValueNames kActions = {"", "allocate", "free", "trim"};
const ValueNames kScopes = {"", "all", "host", "device", "collectives", "ranges"};
const ValueNames kTimesStates = {"", "off", "taken", "switching", "lent", "refused"};
const ValueNames kLanguages = {"", "native", "python"};
const ValueNames kForms = {"matrices",           "convolution", "convolution_data",
                           "convolution_filter", "attention",   "attention_backward"};
const ValueNames kClocks = {"", "monotonic", "realtime", "trace", "virtual", "tsc", "device"};

struct NamedColumn {
  std::string_view column;
  const ValueNames* values;
};

// A column name means the same in every record.
const NamedColumn kNamedColumns[] = {
    {"activity", &kActivities}, {"copy_kind", &kCopies},  {"operation", &kOperations}, {"datatype", &kDataTypes},
    {"type_a", &kDataTypes},    {"type_b", &kDataTypes},  {"type_c", &kDataTypes},     {"type_compute", &kDataTypes},
    {"source", &kSources},      {"action", &kActions},    {"scope", &kScopes},         {"language", &kLanguages},
    {"clock", &kClocks},        {"state", &kTimesStates}, {"form", &kForms},           {"host_memory", &kHostMemories},
};

std::string_view name_at(const ValueNames& names, int64_t value) {
  return value >= 0 && value < static_cast<int64_t>(names.size()) ? names[static_cast<size_t>(value)] : "";
}

}  // namespace

std::string_view record_name(RecordKind kind) {
  const Record* const record = find_record(kind);
  return record != nullptr ? record->name : "";
}

uint16_t column_count(RecordKind kind) {
  const Record* const record = find_record(kind);
  return record != nullptr ? static_cast<uint16_t>(record->columns.size()) : 0;
}

std::string_view column_name(RecordKind kind, uint16_t column) {
  const Record* const record = find_record(kind);
  return record != nullptr && column < record->columns.size() ? record->columns[column] : "";
}

std::vector<std::string> record_names() {
  std::vector<std::string> names;
  for (const Record& record : records())
    if (!record.name.empty()) names.emplace_back(record.name);
  return names;
}

std::optional<RecordKind> record_kind_named(std::string_view name) {
  for (size_t number = 0; number < records().size(); ++number)
    if (!name.empty() && records()[number].name == name) return static_cast<RecordKind>(number);
  return std::nullopt;
}

bool holds_texts(RecordKind kind, uint16_t column) {
  static const std::string_view kTextColumns[] = {"name",      "function", "uuid",    "members", "file",
                                                  "module",    "domain",   "pool",    "metric",  "reason",
                                                  "algorithm", "protocol", "build_id"};
  const std::string_view name = column_name(kind, column);
  if (name == "value") return kind == RecordKind::kAttribute;
  return std::find(std::begin(kTextColumns), std::end(kTextColumns), name) != std::end(kTextColumns);
}

std::string_view value_name(RecordKind kind, uint16_t column, int64_t value) {
  const std::string_view name = column_name(kind, column);
  if (kind == RecordKind::kDrop && name == "kind")
    return value > 0 && value <= 0xFFFF ? record_name(static_cast<RecordKind>(value)) : "";
  if (kind == RecordKind::kGraphContent && name == "kind") return name_at(kGraphItems, value);
  for (const NamedColumn& named : kNamedColumns)
    if (named.column == name) return name_at(*named.values, value);
  return "";
}

std::string_view clock_name(uint32_t clock) { return name_at(kClocks, clock); }
std::string_view gap_scope_name(int64_t scope) { return name_at(kScopes, scope); }

}  // namespace tauprof
