// The logs of one job as rows, to be changed and sealed again. As bytes, a set is its logs one after the other
// (`cat DIR/*.tauprof`), so that one file is one input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "format/log_forge.h"
#include "log/format.h"

namespace tauprof {

struct RowBlock {
  uint16_t kind = 0;
  bool is_recap = false;
  uint32_t records = 0;
  std::vector<std::vector<int64_t>> columns;
  std::vector<std::string> texts;  // of strings
};

struct RowLog {
  log::FileHeader header{};
  std::vector<RowBlock> blocks;
};

using LogSet = std::vector<RowLog>;

// The parts of `bytes` that start as logs do; other bytes are one log.
std::vector<ByteVector> split_logs(const ByteVector& bytes);

// The records of it that the log reader can read.
RowLog rows_of_log(const ByteVector& bytes);
LogSet rows_of_logs(const ByteVector& bytes);

// Uncompressed, with right sizes, numbers and checksums.
ByteVector sealed_log(const RowLog& log);
ByteVector sealed_logs(const LogSet& logs);

}  // namespace tauprof
