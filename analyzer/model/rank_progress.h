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
  int64_t sequence = 0;  // of messages: that the next collective will have
  int64_t count = 0;
  Nanoseconds called = 0;
  int32_t peer = -1;  // root; of messages: the peer's number in the communicator
  log::Operation operation = log::Operation::kUnknown;
  log::DataType datatype = log::DataType::kUnknown;
  int64_t group = 0;  // calls of one NCCL group share it; 0: none
  std::string place;  // the line of code, where the call's stack was recorded; else empty
};

struct CalledMessage {
  uint64_t communicator = 0;  // its identity
  int64_t number = 0;         // among those to or from that peer, from 1
  CalledCollective call;
};

// The sends to, or receives from, one peer.
struct MessageCalls {
  uint64_t communicator = 0;
  int32_t peer = -1;
  bool is_send = false;
  int64_t called = 0;                    // how many
  std::vector<CalledCollective> recent;  // the last few of them
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
  bool is_closed = false;         // the log has an end
  bool has_device_times = false;  // so what the device has done is known soon after
  bool is_whole = false;          // nothing was left out since the recording began
  Nanoseconds last_sign = 0;      // the newest time in the log
  std::string call;               // what the process was in for longest, else what it called last; empty: none known
  bool is_in_call = false;
  Nanoseconds since = 0;  // when that call began, or ended
  std::string thread;
  std::string place;  // the line of code that it is at, where stacks were recorded; else empty
  Phase phase = Phase::kOther;
  int64_t step = -1;  // -1: none had begun
  std::vector<CommunicatorProgress> communicators;
  std::vector<CalledMessage> messages;  // the first few that are not carried out, in the order of their calls
  std::vector<MessageCalls> message_calls;
};

}  // namespace tauprof
