// How far a rank had come when its log was last written, for jobs that hang, died or still run.
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
  int64_t sequence = 0;  // of a message: the number of the next collective
  int64_t count = 0;
  Nanoseconds called = 0;
  int32_t peer = -1;  // the root, or of a message the peer, as numbers in the communicator
  log::Operation operation = log::Operation::kUnknown;
  log::DataType datatype = log::DataType::kUnknown;
  int64_t group = 0;        // calls of one NCCL group share it; 0: none
  std::string source_line;  // empty: no stack of the call was recorded
};

struct CalledMessage {
  uint64_t communicator = 0;  // its identity
  int64_t number = 0;         // counts the messages to or from that peer, from 1
  CalledCollective call;
};

// The sends to one peer, or the receives from it.
struct MessageCalls {
  uint64_t communicator = 0;
  int32_t peer = -1;
  bool is_send = false;
  int64_t called = 0;                    // number of calls
  std::vector<CalledCollective> recent;  // the last few
};

struct CommunicatorProgress {
  uint64_t identity = 0;
  int32_t size = 0;  // 0: not known
  int32_t rank = -1;
  std::string name;
  int64_t entered = 0;                   // the number of the last collective that was called
  int64_t completed = 0;                 // the last one known to be carried out; 0: none
  int64_t met = 0;                       // the last of these that needs every member, so all have come to it …
  Nanoseconds met_at = 0;                // … and when: its end, or without device times that of its call
  std::vector<CalledCollective> recent;  // the last few that were called, completed or not
};

struct RankProgress {
  bool is_closed = false;                // the log has an end
  bool has_device_times = false;         // so it is known soon what the device has done
  bool has_all_calls = false;            // since the recording started
  Nanoseconds last_sign = 0;             // the newest time in the log
  Nanoseconds device_until = INT64_MIN;  // the end of the last work that its device is known to have done
  std::string call;  // the call that the process was in for longest, else the last one; empty: none known
  bool is_in_call = false;
  Nanoseconds since = 0;  // when that call started, or ended
  std::string thread;
  std::string source_line;  // where it is; empty: stacks were not recorded
  Phase phase = Phase::kOther;
  int64_t step = -1;  // -1: none had started
  std::vector<CommunicatorProgress> communicators;
  std::vector<CalledMessage> messages;  // the first few that are not carried out, in calling order
  std::vector<MessageCalls> message_calls;
};

}  // namespace tauprof
