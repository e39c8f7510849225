// Messages that hang: on each channel (communicator, source, destination), the first that is not carried out.
//
// A channel's messages are first in, first out, so the sender's first pending message meets the receiver's. If only one
// side has a pending message, the other has not called it, and the caller waits. But if the other side has called as
// many messages already, its side is done: a small message is buffered. If the two sides differ in count or type, the
// message never completes.
//
// Calls name members by their number in the communicator. Logs say which rank of the job has that number.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/hangs/hang_search.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct WaitingMessage {
  std::string communicator;
  int32_t source = -1;  // rank of the job; -1: without a log
  int32_t destination = -1;
  std::optional<CalledCollective> send;  // none: not called
  std::optional<CalledCollective> receive;
  Nanoseconds waited = 0;  // by the side that has waited longest
  bool is_without_log = false;
  bool is_sent = false;  // the sender's side is carried out
  bool is_received = false;

  bool is_different() const {
    return send && receive && (send->count != receive->count || send->datatype != receive->datatype);
  }
  bool lacks_side() const { return !is_without_log && ((!send && !is_sent) || (!receive && !is_received)); }
};

// By wait until `newest` (on the run's clock), the longest first.
std::vector<WaitingMessage> find_waiting_messages(const std::vector<RankTimeline>& ranks, Nanoseconds newest);

}  // namespace tauprof
