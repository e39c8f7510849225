// Reads one log file block by block: checks and decompresses blocks, decodes their columns, resumes after damage, and
// counts what was lost. Knows the format, but not what records mean.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "log/format.h"
#include "model/status.h"
#include "read/record_block.h"

namespace tauprof {

// A part of the file that could not be used.
struct LogDamage {
  uint64_t offset;
  uint64_t bytes;
  std::string what;
};

struct LogLoss {
  std::vector<LogDamage> regions;
  uint64_t lost_bytes = 0;
  uint64_t lost_records = 0;    // as the record numbers in the surviving block headers show
  bool is_cut_short = false;    // no end record at the end: still running, killed, or truncated
  uint64_t unknown_blocks = 0;  // of kinds that this reader does not know; not damage
};

class LogReader {
 public:
  // Fails if the file cannot be read at all: it is missing, empty, no log, too new, or its header is destroyed.
  static Status open(const std::string& path, std::unique_ptr<LogReader>& reader);
  ~LogReader();

  const log::FileHeader& header() const;
  uint64_t file_bytes() const;
  uint64_t offset() const;  // where the next block is expected

  // The next block is the one that starts there. From then on, loss() does not count records.
  void go_to(uint64_t offset);
  // Passes over so many blocks by their headers alone. False, and nothing is passed: they are not all there.
  bool skip(uint64_t blocks);
  // From now on, next() also hands out blocks of unknown kinds, if they can be decoded.
  void keep_unknown_kinds();

  // Reads the next block that is sound. False at the end of the file; then loss() is complete.
  bool next(RecordBlock& block);
  const LogLoss& loss() const;

 private:
  LogReader();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tauprof
