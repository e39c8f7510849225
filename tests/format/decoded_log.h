// Everything that the reader returns for a log, as plain rows that tests can compare.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "log/format.h"
#include "read/log_reader.h"

namespace tauprof {

struct DecodedRow {
  log::RecordKind kind = log::RecordKind::kNone;
  std::vector<int64_t> values;  // by column
  std::string text;             // of strings
  bool operator==(const DecodedRow&) const = default;
};

// One line: kind, column=value …
std::string describe(const DecodedRow& row);

struct BlockInLog {
  log::RecordKind kind = log::RecordKind::kNone;
  bool is_recap = false;
  std::vector<DecodedRow> rows;
  bool operator==(const BlockInLog&) const = default;
};

struct DecodedLog {
  Status status;
  std::vector<BlockInLog> blocks;
  LogLoss loss;

  std::vector<DecodedRow> rows() const;  // without recaps
  std::vector<DecodedRow> rows_of(log::RecordKind kind) const;
};

DecodedLog decode_log(const std::string& path);

}  // namespace tauprof
