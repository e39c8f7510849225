// Reads one log file block by block: checks, decompresses, decodes columns, finds its footing again
// after damage and keeps account of what was lost. Knows the format, not what records mean.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "log/format.h"
#include "model/status.h"

namespace tauprof {

// One column of a decoded block. A constant or missing column is one value with stride 0.
struct Column {
  const int64_t* values;
  uint32_t stride;
  int64_t operator[](size_t row) const { return values[row * stride]; }
};

// The decoded rows of one block. Valid until the next LogReader::next on it.
class RecordBlock {
 public:
  log::RecordKind kind() const { return kind_; }
  uint32_t records() const { return records_; }
  bool is_recap() const { return recap_; }  // repeats state that stood in earlier blocks

  template <class Record>
  Column column(int64_t Record::*field) const {
    static constexpr Record kZero{};
    const auto position = reinterpret_cast<const char*>(&(kZero.*field)) - reinterpret_cast<const char*>(&kZero);
    return column(static_cast<uint16_t>(position / sizeof(int64_t)));
  }
  Column column(uint16_t number) const;
  std::string_view text(uint32_t row) const;  // of string records

 private:
  friend class LogReader;
  log::RecordKind kind_ = log::RecordKind::kNone;
  uint32_t records_ = 0;
  bool recap_ = false;
  struct Decoded;
  std::shared_ptr<Decoded> decoded_;
};

// A stretch of the file that could not be used.
struct LogDamage {
  uint64_t offset;
  uint64_t bytes;
  std::string what;
};

struct LogLoss {
  std::vector<LogDamage> regions;
  uint64_t lost_bytes = 0;
  uint64_t lost_records = 0;    // known from the record numbers of the surviving block headers
  bool is_cut_short = false;    // does not end with an end record: still running, killed, or truncated
  uint64_t unknown_blocks = 0;  // of kinds this reader does not know: skipped, not damage
};

class LogReader {
 public:
  // Fails when the file cannot be read at all: missing, empty, foreign, destroyed header, too new.
  static Status open(const std::string& path, std::unique_ptr<LogReader>& reader);
  ~LogReader();

  const log::FileHeader& header() const;
  uint64_t file_bytes() const;

  // From now on next() also hands out blocks of unknown kinds, as far as they can be decoded.
  void keep_unknown_kinds();

  // The next readable block; false at the end of the file, when loss() is complete.
  bool next(RecordBlock& block);
  const LogLoss& loss() const;

 private:
  LogReader();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tauprof
