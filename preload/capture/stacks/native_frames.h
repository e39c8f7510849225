// The calling thread's native stack, read by libunwind or, where that is not installed, by the unwinder of C++
// exceptions. Both are opened at run time, and only if stacks are wanted. Like an exception, unwinding may briefly take
// the lock of the loader's list, which no constructor holds.
#pragma once

#include <stdint.h>

#include "capture/loader/loaded_objects.h"
#include "capture/stacks/stack_table.h"

namespace tauprof::capture {

class NativeFrames {
 public:
  // Opens an unwinder, on a thread that may wait for the loader. False: there is none.
  bool open();
  // Return addresses, innermost first, without those in this library.
  unsigned read_own(StackFrame* frames) const;

 private:
  int (*libunwind_)(void** addresses, int most);
  void* gcc_backtrace_;
  void* gcc_address_;
  MappedRange own_code_;
  bool is_open_;
};

}  // namespace tauprof::capture
