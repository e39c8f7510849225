// Where in the program a call was made (TAUPROF_STACKS): the stack of the thread that made it, taken when
// the real function has returned and the call turned out to be slow, or after every call.
//
// A thread with Python frames gives these, any other its native ones. A stack that was met before costs a
// walk and one look into a table; the names in it are read once.
#pragma once

#include <stdint.h>

#include "capture/rings/thread_state.h"
#include "capture/settings/configuration.h"
#include "capture/stacks/native_frames.h"
#include "capture/stacks/python_frames.h"
#include "capture/stacks/stack_table.h"

namespace tauprof::capture {

class CallStacks {
 public:
  // Before the first record. Without memory or anything to read stacks with, they stay off.
  void begin(StackMode mode);
  bool is_on() const { return is_on_; }

  // The number of the calling thread's stack; 0: none.
  uint32_t take_own(ThreadState& thread);
  // Lets the writer thread find this thread's Python frames.
  void note_thread(ThreadState& thread);

  // ---- The writer thread ----
  // The Python stack of another thread, wherever it is.
  uint32_t take_other(const SampledThread& thread);
  const StackTable& table() const { return table_; }
  PythonCodes& codes() { return python_.codes(); }
  uint64_t take_refused() { return table_.take_refused(); }

 private:
  static void tell(SampledThread& sampled, uint64_t python_thread, uint64_t outermost);
  uint32_t number_of(const PythonFrame* frames, unsigned count);

  bool is_on_;
  bool has_python_;
  bool has_native_;
  PythonFrames python_;
  NativeFrames native_;
  StackTable table_;
};

extern CallStacks call_stacks;

}  // namespace tauprof::capture
