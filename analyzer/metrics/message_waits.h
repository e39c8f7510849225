// Messages that hang: of each channel (communicator, source, destination) the first that is not carried out.
//
// Messages of a channel come first in, first out, so the first that the sender has pending meets the first that the
// receiver has. Where only one side has one, the other has not called it, and the caller waits; unless the other has
// called as many already: then its side is done (a small message is buffered). Where the two differ in count or type,
// the message is never complete.
//
// Members are known by their number in the communicator; which rank of the job that is, their logs say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/hang_search.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct WaitingMessage {
  std::string communicator;
  int32_t source = -1;  // rank of the job; -1: it has no log
  int32_t destination = -1;
  std::optional<CalledCollective> send;  // none: not called
  std::optional<CalledCollective> receive;
  Nanoseconds waited = 0;  // by who called first
  bool is_without_log = false;
  bool is_sent = false;  // its side is carried out
  bool is_received = false;

  bool is_different() const {
    return send && receive && (send->count != receive->count || send->datatype != receive->datatype);
  }
  bool lacks_side() const { return !is_without_log && ((!send && !is_sent) || (!receive && !is_received)); }
};

// Until `newest`, on the run's clock. Whoever waits longest first.
std::vector<WaitingMessage> find_waiting_messages(const std::vector<RankTimeline>& ranks, Nanoseconds newest);

}  // namespace tauprof
