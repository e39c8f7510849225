// Reads the Python stack of a thread, without the interpreter's lock: a hook may not take it, and the
// program may be anywhere.
//
// A thread's own frames stand still while it is inside a call, so they are read by plain loads, once the
// layout has proved itself: the first stack is read guarded (own_memory.h) down to the names of its
// functions, and everything in it must be of the type that it should be. If it is not, Python stacks are
// off for this process.
//
// Another thread's frames may change under the reader. They are read guarded, twice: what both readings
// share, counted from the outermost frame, was there from one to the other. So a thread that runs from
// function to function is seen in the innermost function that it stayed in. The outermost frame must be the
// one that the thread itself has once told, or the reading followed a frame that was just given up.
//
//   first:  main, train, collate, decode        second: main, train, collate, resize
//   taken:  main, train, collate                with collate's instruction as in the second
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
  // Looks for an interpreter in the process. False: none, or none that is understood (said in one line).
  bool begin();

  // The calling thread's state in the interpreter; 0: it has none, or the interpreter is ending.
  uint64_t own_thread() const;

  // Frames of the calling thread, the innermost first; 0: none.
  unsigned read_own(uint64_t thread, PythonFrame* frames);
  // The calling thread's outermost frame; 0: it has none, or too many.
  uint64_t outermost_of_own(uint64_t thread);
  // Of another thread; 0: none, or too restless to be read.
  unsigned read_other(const SampledThread& thread, PythonFrame* frames);

  PythonCodes& codes() { return codes_; }

 private:
  enum State : uint32_t { kOff, kUnproved, kProved };
  static constexpr int kUnreadable = -1;
  // The innermost `most` frames, or kUnreadable. Without their code objects' identity where that is not asked for.
  template <class Memory>
  int walk(Memory& memory, uint64_t thread, PythonFrame* frames, int most, bool identifies) const;
  int32_t instruction_of(const uint8_t* frame, uint64_t code) const;
  int prove(uint64_t thread, PythonFrame* frames);

  void* (*get_thread_)();
  int (*is_finalizing_)();
  PythonLayout layout_;
  PythonCodes codes_;
  uint32_t version_;
  uint32_t state_;
};

}  // namespace tauprof::capture
