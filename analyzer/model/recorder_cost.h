// The cost of recording on the program's threads, as the recorder measured it.
#pragma once

#include "model/time.h"

namespace tauprof {

struct RecorderCost {
  bool is_known = false;          // false: the log does not say (imported traces)
  bool has_parts = false;         // false: an older recorder, which measured starting and calls only
  bool is_without_cupti = false;  // CUPTI was not used; else what it adds inside of CUDA's calls is in no part
  Nanoseconds start_and_calls = 0;
  Nanoseconds events = 0;
  Nanoseconds cupti = 0;
  Nanoseconds stacks = 0;
  Nanoseconds end = 0;

  Nanoseconds total() const { return start_and_calls + events + cupti + stacks + end; }

  // Of several logs together. Those that do not say add nothing.
  void add(const RecorderCost& other) {
    if (!other.is_known) return;
    has_parts = other.has_parts && (has_parts || !is_known);
    is_without_cupti = other.is_without_cupti && (is_without_cupti || !is_known);
    is_known = true;
    start_and_calls += other.start_and_calls;
    events += other.events;
    cupti += other.cupti;
    stacks += other.stacks;
    end += other.end;
  }
};

}  // namespace tauprof
