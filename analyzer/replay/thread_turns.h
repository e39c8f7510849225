// Whose turn it is among the threads of a process.
//
// Threads wait for each other without any call that is recorded: PyTorch's main thread sleeps while autograd's thread
// launches the backward pass, or until a loader's thread has seen a buffer free. A thread that was silent while another
// one worked through most of its silence waited for it. Example: main calls until 10 and again from 110; autograd calls
// from 12 to 105. Main's silence belongs to autograd, so main comes 5 after autograd's last call, and autograd 2 after
// main's. Of two threads that alternate, that is, neither calls in the midst of the other's calls, the one waits for
// the other however little of its silence that one's calls fill: main may be stalled before it hands over, and a
// loader's thread may prepare a batch without any call.
//
// A thread may also be woken in the midst of the other's calls, as a loader's when the batch before is taken. Where a
// call of one place in the other's step is followed about as evenly as the thread's own last call, nobody can tell
// whether it waited for that or worked: the wait is assumed. Example: in steps of 7.6, 7.8 and 7.9 ms a thread goes
// on 1.81, 1.75 and 1.78 ms after main's first call.
//
// A thread waits for the same other one at a place, if one worked in nearly all of the silences and was the last to in
// most: what others do is a coincidence. Example: autograd's thread waits for main; in some steps a loader's call ends
// a little later than main's. Short silences of fewer than three steps tell nothing, unless there are no more steps.
//
// The same place of other steps may speak against it. A silence that is there whether another thread works or not, or
// whose end follows its own start more evenly than the other's end, is no wait. Example: main is stalled for 2.6 ms
// in each step; in every third a checkpoint's thread works meanwhile.
//
// A thread that gives its work away, as a loader does, and then is silent for long, may wait until the work is taken.
// It does so if another thread takes it in the midst of these silences, unless something else explains them better: the
// thread goes on at once after another's call, or clearly more evenly. Example: a loader's thread copies a batch 5 ms
// after main has taken the one before; autograd's last call comes 1 ms after that, whenever main takes a batch.
//
// Threads that train side by side, each with its own steps, take no turns; neither do threads that use different
// devices, such as the autograd threads of two models on two devices of one process. Of more than kMostTurnThreads
// that use devices nobody is known to wait for another.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class ThreadTurns {
 public:
  explicit ThreadTurns(const ProcessTrace& trace);

  // An operation of a thread's line: a call, in the order of starts. `place`: how many the thread had made in the step.
  void add(uint16_t thread, Interval time, uint32_t operation, int32_t step, uint32_t place);

  struct Turn {
    uint32_t operation = kNoIndex;  // the last of the thread whose turn it was; kNoIndex: none's
    Nanoseconds end = 0;
  };
  // Who worked while `thread` was silent. `silence.start` is INT64_MIN if the thread starts with this.
  Turn before(uint16_t thread, Interval silence) const;

  // A thread that was silent, but not because it starts with this.
  struct Silence {
    uint32_t operation;  // of the thread meanwhile
    uint32_t previous;   // the thread's call before it, and …
    uint32_t call;       // … the one that ends it: indexes into ProcessTrace::calls
    Interval time;
    int32_t step = kNoStep;
    uint32_t after = kNoIndex;  // the thread's last operation before it
    Turn turn = {};
    bool is_assumed = false;
  };
  // Another thread's call takes what `giver` launched (handovers.h).
  void note_taker(uint32_t giver, const Turn& taker, bool is_assumed) {
    takers_.try_emplace(giver, std::pair(taker, is_assumed));
  }
  // This turn ended the silence that is `operation`.
  void note_giver(uint32_t operation, const Turn& giver) { givers_.try_emplace(operation, giver); }
  // `place`: how many calls the thread had made in the step before it.
  void note(uint16_t thread, uint32_t place, const Silence& silence) { silences_[{thread, place}].push_back(silence); }
  // Those that were another's turn, once all are noted.
  std::vector<Silence> take();

 private:
  struct Worked {
    Interval time;
    uint32_t operation;
    int32_t step;
    uint32_t place;
  };
  // Of this other thread.
  Turn turn_of(size_t other, uint16_t thread, Interval silence) const;
  // Gives silences of one place the turns of the thread that explains them best, or of several; whether they are turns.
  bool find_turns(uint16_t thread, std::vector<Silence>& silences) const;
  // How long the one has worked in the silence, and until when.
  static std::pair<Nanoseconds, Turn> worked_in(const std::vector<Worked>& worked, Interval silence);
  // Gives silences of one place the calls that take what the thread gave before, if it goes on evenly after them.
  bool find_takers(std::vector<Silence>& silences) const;
  // Gives silences of one place their turns, if they are any.
  bool explain(uint16_t thread, std::vector<Silence>& silences) const;
  void find_alternating();
  // Gives silences of one place the calls that may have woken the thread, if some may have.
  bool assume_woken(uint16_t thread, std::vector<Silence>& silences) const;

  const size_t steps_;
  std::vector<std::vector<Worked>> worked_;    // by thread
  std::vector<std::vector<size_t>> partners_;  // by thread: those with which it may take turns
  std::set<std::pair<size_t, size_t>> alternating_;
  std::unordered_map<uint32_t, std::pair<Turn, bool>> takers_;  // by the call that gave; whether they are assumed
  std::unordered_map<uint32_t, Turn> givers_;                   // by silence
  std::map<std::pair<uint16_t, uint32_t>, std::vector<Silence>> silences_;  // by thread and place
};

}  // namespace tauprof
