// Where in the program the host was: stacks of calls, and of threads between two calls.
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
  NameId module = kNoName;  // of native frames: the file in which `offset` counts
  int64_t offset = 0;
};

// A file of native frames, as it was during the recording.
struct CodeModule {
  NameId path = kNoName;
  NameId build_id = kNoName;
};

inline constexpr uint32_t kNoStack = 0;

// Its own frames, the innermost first; then come those of the stack that called it.
struct CodeStack {
  std::vector<uint32_t> frames;  // indices into CodeStacks::frames
  uint32_t caller = kNoStack;    // smaller than the stack's own index
};

// A call with a stack: it took long, or came after a pause, or stacks of all calls were recorded.
struct LocatedCall {
  Nanoseconds start = 0;  // of the call, which identifies it
  uint32_t stack = kNoStack;
  uint16_t thread = 0;
};

// A pause of a thread between two calls. `stack`: where the thread was for about this time.
struct LocatedPause {
  Interval time;
  uint32_t stack = kNoStack;
  uint16_t thread = 0;
};

struct CodeStacks {
  std::vector<CodeFrame> frames;
  std::vector<CodeModule> modules;
  std::vector<CodeStack> stacks{1};  // 0: none
  std::vector<LocatedCall> calls;    // by thread, then start
  std::vector<LocatedPause> pauses;  // by thread, then start

  bool is_empty() const { return calls.empty() && pauses.empty(); }
};

}  // namespace tauprof
