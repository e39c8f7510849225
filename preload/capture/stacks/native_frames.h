// The calling thread's native stack, by libunwind or, where that is not installed, by the unwinder that
// C++ exceptions use. Both are opened at run time, and only when stacks are wanted. Like an exception,
// unwinding may take the loader's lock for a moment.
#pragma once

#include <stdint.h>

#include "capture/stacks/stack_table.h"

namespace tauprof::capture {

class NativeFrames {
 public:
  // False: there is no unwinder.
  bool begin();
  // Return addresses, the innermost first, without those in this library.
  unsigned read_own(StackFrame* frames) const;

 private:
  int (*libunwind_)(void** addresses, int most);
  void* gcc_backtrace_;
  void* gcc_address_;
  uint64_t own_begin_, own_end_;
};

}  // namespace tauprof::capture
