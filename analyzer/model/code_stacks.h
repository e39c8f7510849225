// Where in the program the host was: stacks of calls, and of threads between their calls.
#pragma once

#include <cstdint>
#include <vector>

#include "log/format.h"
#include "model/names.h"
#include "model/time.h"

namespace tauprof {

struct CodeFrame {
  log::FrameLanguage language = log::FrameLanguage::kUnknown;
  NameId function = kNoName;
  NameId file = kNoName;
  int32_t line = 0;
  NameId module = kNoName;  // of native frames: the file that `offset` counts in
  int64_t offset = 0;
};

// A file of native frames, as it was while recording.
struct CodeModule {
  NameId path = kNoName;
  NameId build_id = kNoName;
};

inline constexpr uint32_t kNoStack = 0;

// Frames of its own, the innermost first, then those of the stack that called it.
struct CodeStack {
  std::vector<uint32_t> frames;  // indices into CodeStacks::frames
  uint32_t caller = kNoStack;    // smaller than the stack's own index
};

// A call with a stack. It took long, or came after a pause, or all calls were to have one.
struct PlacedCall {
  Nanoseconds start = 0;  // of the call, which is found by it
  uint32_t stack = kNoStack;
  uint16_t thread = 0;
};

// A thread between two calls: `stack` is where it was for (about) this time.
struct PlacedPause {
  Interval time;
  uint32_t stack = kNoStack;
  uint16_t thread = 0;
};

struct CodeStacks {
  std::vector<CodeFrame> frames;
  std::vector<CodeModule> modules;
  std::vector<CodeStack> stacks{1};  // 0: none
  std::vector<PlacedCall> calls;     // by thread, then start
  std::vector<PlacedPause> pauses;   // by thread, then start

  bool is_empty() const { return calls.empty() && pauses.empty(); }

  // The stack's frames, the innermost first; calls take(frame) until it says that it has what it wants.
  template <class Take>
  void walk(uint32_t stack, Take&& take) const {
    for (; stack != kNoStack; stack = stacks[stack].caller)
      for (const uint32_t frame : stacks[stack].frames)
        if (take(frames[frame])) return;
  }
};

}  // namespace tauprof
