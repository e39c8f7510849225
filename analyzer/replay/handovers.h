// Which threads came after others because they use what those launched.
//
// A thread tells its stream to wait for an event only once that is recorded: before, the stream would wait for nothing.
// So where the event is another thread's, the one that takes its work comes after the one that gives it, even if it
// never had to wait there. Example: a loader's thread copies a batch at 5.0 ms, and main takes it at 5.9 ms, when the
// device is done. With faster kernels main would come at 4 ms, and wait for the loader until 5.0.
//
// For which work a stream waits may be only assumed (inferred_waits.h). It is certain for all that one thread takes
// from another if a silence shows it: a long one, and it ended so soon after the other's call that hardly any time at
// random would do as well.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

struct Handover {
  uint32_t taker;           // what the thread did before the launch of the work that waits
  uint32_t giver;           // the call that launched what it waits for
  uint16_t taking, giving;  // threads
  Interval silence;         // of the thread that takes, until it told its stream to wait
  bool is_assumed;

  // Given in the midst of the silence, and taken at once.
  bool ends_silence(Nanoseconds given) const;
};

// The launches of a process, by device operation.
class Launches {
 public:
  explicit Launches(uint32_t operations) : befores_(operations, kNoIndex), threads_(operations), is_told_(operations) {}

  // `before`: what the host did before the launch; the call follows that. `silence`: where the thread had told a stream
  // to wait since its last operation, the time until then, in which it had none; none: it had told nothing.
  void add(uint32_t operation, uint32_t before, uint16_t thread, const std::optional<Interval>& silence);
  // kNoIndex: none.
  uint32_t before(uint32_t operation) const { return befores_[operation]; }

  // Adds a handover if another thread launched `operation`, for which it had told a stream to wait, than `awaited`,
  // which it waits for. Streams also wait untold: those that take turns with the default stream.
  void find_handover(uint32_t operation, uint32_t awaited, bool is_assumed, std::vector<Handover>& handovers) const;

 private:
  std::vector<uint32_t> befores_;
  std::vector<uint16_t> threads_;
  std::vector<bool> is_told_;
  std::unordered_map<uint32_t, Interval> silences_;  // long ones
};

// Sorts them by taker, of each the last giver first, and assumes no longer what a silence makes certain. `times`: of
// all operations.
void test_handovers(std::vector<Handover>& handovers, const std::vector<Interval>& times);
// Those of calls that had ended before the taker began, and that say more than others of these do. What is certain is
// not left out for what is assumed. `handovers`: sorted.
std::vector<Handover> telling_handovers(std::vector<Handover> handovers, const std::vector<Interval>& times);

}  // namespace tauprof
