// Takes the stacks of calls (TAUPROF_STACKS): after the real function has returned, if the call was slow, or after
// every call.
//
// A thread that has Python frames gives these; any other thread gives its native frames. A stack that is already known
// costs the walk and one table lookup; its names are read only once.
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
  // Before the first record. Stacks stay off if there is no memory for them, or no way to take them.
  void start(StackMode mode);
  bool is_on() const { return is_on_; }
  // For native frames. Once, on a thread that may wait for the loader.
  void open_unwinder();

  // Takes the stack of the calling thread; returns its number, 0: none.
  uint32_t take_own(ThreadState& thread);
  // Notes what the writer thread needs to find the calling thread's Python frames.
  void note_thread(ThreadState& thread);

  // ---- The writer thread ----
  // Takes the Python stack of another thread, wherever that is running.
  uint32_t take_other(const SampledThread& thread);
  const StackTable& table() const { return table_; }
  PythonCodes& codes() { return python_.codes(); }
  uint64_t take_refused() { return table_.take_refused(); }

 private:
  static void publish(SampledThread& sampled, uint64_t python_thread, uint64_t outermost);
  uint32_t number_of(const PythonFrame* frames, unsigned count);

  bool is_on_;
  bool has_python_;
  PythonFrames python_;
  NativeFrames native_;
  StackTable table_;
};

extern CallStacks call_stacks;

}  // namespace tauprof::capture
