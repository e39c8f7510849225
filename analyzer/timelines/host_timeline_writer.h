// Writes the timelines of one host's logs into a file: in the container of a log, log after log, so that what is
// complete can be read while the rest is still being made, and after a crash.
//
//   header (kFeatureTimelines)
//   reduced_log, texts and facts of log 1, texts and tables of log 1
//   reduced_log, …
//   end
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "log/block_file.h"
#include "model/reduced_log.h"
#include "model/status.h"

namespace tauprof {

struct EncodedBlock {
  log::BlockHeader header{};
  log::ByteArray bytes;
};

// The kept data of one log, as blocks.
struct EncodedLog {
  std::vector<std::unique_ptr<EncodedBlock>> facts;
  std::vector<std::unique_ptr<EncodedBlock>> tables;
};

EncodedLog encode_log(LogFacts& facts, ReducedLog& log);

class HostTimelineWriter {
 public:
  // `path` must not exist.
  Status create(const std::string& path, const std::string& host);
  Status add(EncodedLog& log);
  Status finish();

 private:
  Status write(EncodedBlock& block);
  Status write_row(log::RecordKind kind, const std::vector<int64_t>& values);

  std::string path_;
  log::BlockFile file_;
  uint64_t records_ = 0;
};

}  // namespace tauprof
