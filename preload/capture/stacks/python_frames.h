// Reads the Python stack of a thread without the interpreter's lock, which a hook must not take.
//
// A thread's own frames do not change while it is inside a call, so they are read by plain loads. Before that, the
// layout must be verified: the first stack is read guarded (own_memory.h) down to the names of its functions, and
// everything in it must have the type that it should have. If something does not, Python stacks are off for this
// process.
//
// Another thread's frames may change while they are read. They are read guarded, twice. The frames that both readings
// share, counted from the outermost, were there all the time in between. So a thread that runs from function to
// function is found in the innermost function that it stayed in. The outermost frame must be the one that the thread
// itself has noted before; otherwise the reading followed a frame that had just been released.
//
//   first:  main, train, collate, decode        second: main, train, collate, resize
//   taken:  main, train, collate                with collate's instruction from the second
#pragma once

#include <stdint.h>

#include "capture/rings/thread_state.h"
#include "capture/stacks/python_code.h"
#include "capture/stacks/python_layout.h"
#include "capture/stacks/stack_table.h"

namespace tauprof::capture {

struct PythonFrame {
  uint64_t frame;  // addresses
  uint64_t code;
  uint64_t identity;  // of the code object
  int32_t instruction;
};

class PythonFrames {
 public:
  // Looks for an interpreter in the process. False: there is none, or an unknown one, which has been reported.
  bool start();

  // The calling thread's state in the interpreter; 0: it has none, or the interpreter is ending.
  uint64_t own_thread() const;

  // Reads the frames of the calling thread, innermost first; 0: there are none.
  unsigned read_own(uint64_t thread, PythonFrame* frames);
  // The calling thread's outermost frame; 0: it has no frames, or too many.
  uint64_t outermost_of_own(uint64_t thread);
  // Reads the frames of another thread; 0: there are none, or they change too fast.
  unsigned read_other(const SampledThread& thread, PythonFrame* frames);

  PythonCodes& codes() { return codes_; }

 private:
  enum State : uint32_t { kOff, kUnverified, kVerified };
  static constexpr int kUnreadable = -1;
  // Reads at most the `most` innermost frames; returns their number or kUnreadable. Fills in the identities of code
  // objects only if `identifies`.
  template <class Memory>
  int walk(Memory& memory, uint64_t thread, PythonFrame* frames, int most, bool identifies) const;
  int32_t instruction_of(const uint8_t* frame, uint64_t code) const;
  int verify(uint64_t thread, PythonFrame* frames);

  void* (*get_thread_)();
  int (*is_finalizing_)();
  PythonLayout layout_;
  PythonCodes codes_;
  uint32_t version_;
  uint32_t state_;
};

}  // namespace tauprof::capture
