#include "format/sample_log.h"

#include <cstring>
#include <limits>
#include <stdexcept>

#include "log/state_store.h"
#include "read/record_names.h"

namespace tauprof {
namespace {

using log::RecordKind;

const std::vector<std::string> kTexts = {"cudaLaunchKernel", "ampere_sgemm_128x64_tn", "Größe \xF0\x9F\x90\xAC",
                                         std::string("a\0b\n\"\\", 6), std::string(300, 'x')};
constexpr int64_t kEndTime = 1'700'000'000'123'456'789;
constexpr const char* kEndReason = "closed";
constexpr uint32_t kRowsPerKind = 3;

// Row 0 holds small numbers, row 1 the extremes, row 2 arbitrary bits.
int64_t sample_value(RecordKind kind, uint16_t column, uint32_t row) {
  const auto number = static_cast<uint32_t>(kind);
  if (holds_texts(kind, column)) return 1 + (number + column + row) % kTexts.size();
  if (row == 0) return column % 4 == 3 ? 0 : column + 1;
  if (row == 1) return column % 2 == 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
  const uint64_t bits = (number * 64 + column + 1) * 0x9E3779B97F4A7C15;
  return static_cast<int64_t>(bits >> (number + column) % 60);
}

std::vector<RecordKind> kinds_to_append() {
  std::vector<RecordKind> kinds;
  for (uint16_t number = 2; number < 64; ++number) {
    const auto kind = static_cast<RecordKind>(number);
    if (!record_name(kind).empty() && kind != RecordKind::kEnd) kinds.push_back(kind);
  }
  return kinds;
}

}  // namespace

std::vector<DecodedRow> sample_rows() {
  std::vector<DecodedRow> rows;
  for (const std::string& text : kTexts)
    rows.push_back({RecordKind::kString, {static_cast<int64_t>(rows.size()) + 1}, text});
  rows.push_back({RecordKind::kString, {static_cast<int64_t>(rows.size()) + 1}, kEndReason});
  const int64_t reason = static_cast<int64_t>(rows.size());
  for (const RecordKind kind : kinds_to_append()) {
    for (uint32_t row = 0; row < kRowsPerKind; ++row) {
      DecodedRow& added = rows.emplace_back(DecodedRow{kind, {}, {}});
      for (uint16_t column = 0; column < column_count(kind); ++column)
        added.values.push_back(sample_value(kind, column, row));
    }
  }
  rows.push_back({RecordKind::kEnd, {kEndTime, reason}, {}});
  return rows;
}

log::FileHeader sample_header() {
  log::FileHeader header{};
  header.clock = static_cast<uint32_t>(log::Clock::kMonotonic);
  header.start_time_ns = 1'000'000'007;
  header.start_realtime_ns = 1'700'000'000'000'000'009;
  header.pid = 4711;
  for (uint8_t i = 0; i < sizeof header.boot_id; ++i) header.boot_id[i] = i;
  strcpy(header.run_id, "job-42");
  strcpy(header.host, "node-1");
  return header;
}

bool append_row(log::Writer& writer, const DecodedRow& row) {
  switch (row.kind) {
#define TAUPROF_RECORD(number, Type, name, role)                                  \
  case RecordKind::k##Type:                                                       \
    if constexpr (RecordKind::k##Type != RecordKind::kString) {                   \
      log::Type record;                                                           \
      memcpy(reinterpret_cast<char*>(&record), row.values.data(), sizeof record); \
      return writer.append(record);                                               \
    }                                                                             \
    return false;
#define TAUPROF_COLUMN(name, form)
#define TAUPROF_RECORD_END()
#include "log/schema.def"
    default:
      return false;
  }
}

void write_sample_log(const std::string& path, Flushes flushes) {
  log::Writer writer;
  bool is_fine = writer.open(path.c_str(), sample_header());
  for (const std::string& text : kTexts) {
    is_fine = is_fine && writer.intern(text.data(), text.size()) != 0;
    if (flushes == Flushes::kEachRow) is_fine = is_fine && writer.flush();
  }
  for (const DecodedRow& row : sample_rows()) {
    if (row.kind == RecordKind::kString || row.kind == RecordKind::kEnd) continue;
    is_fine = is_fine && append_row(writer, row);
    if (flushes == Flushes::kEachRow) is_fine = is_fine && writer.flush();
  }
  if (!is_fine || !writer.close(kEndTime, kEndReason)) throw std::runtime_error("cannot write " + path);
}

}  // namespace tauprof
