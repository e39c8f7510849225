// How far a rank had come when its log was last written: for jobs that hang, died or still run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "log/format.h"
#include "model/phase.h"
#include "model/time.h"

namespace tauprof {

// A collective or message that the host has called.
struct CalledCollective {
  int64_t sequence = 0;
  int64_t count = 0;
  Nanoseconds called = 0;
  int32_t peer = -1;  // root; of messages: the peer
  log::Operation operation = log::Operation::kUnknown;
  log::DataType datatype = log::DataType::kUnknown;
};

struct CommunicatorProgress {
  uint64_t identity = 0;
  int32_t size = 0;  // 0: not known
  int32_t rank = -1;
  std::string name;
  int64_t entered = 0;                   // number of the last collective called
  int64_t completed = 0;                 // the last that is known to be carried out; 0: none is
  std::vector<CalledCollective> recent;  // the last few that were called, completed or not
};

struct RankProgress {
  bool is_closed = false;     // the log has an end
  Nanoseconds last_sign = 0;  // the newest time in the log
  std::string call;           // what the process was in for longest, else what it called last; empty: no call known
  bool is_in_call = false;
  Nanoseconds since = 0;  // when that call began, or ended
  std::string thread;
  std::string place;  // the line of code of a call that it is in, where stacks were recorded; else empty
  Phase phase = Phase::kOther;
  int64_t step = -1;  // -1: none had begun
  std::vector<CommunicatorProgress> communicators;
  std::vector<CalledCollective> messages;  // the first few that are not carried out
};

}  // namespace tauprof
