// Tells threads of the program from those that exist because of the recorder. A process ends with its last thread, if
// main() has left by pthread_exit(): ours must not be the ones that keep it alive.
#pragma once

#include <stdint.h>

#include <initializer_list>

namespace tauprof::capture {

// Threads that have started while a library worked for us, by the kernel's thread id. One that has given itself no name
// may be the program's, started meanwhile by another thread, and counts as that.
struct HelperThreads {
  static constexpr uint32_t kMost = 16;
  uint32_t ids[kMost] = {};
  uint32_t count = 0;
  bool has(uint32_t id) const;
};

// Notes the threads that exist, to find those that start from now on.
class NewThreads {
 public:
  NewThreads();
  void find(HelperThreads& helpers) const;

 private:
  static constexpr uint32_t kMost = 512;
  uint32_t before_[kMost];
  uint32_t count_ = 0;  // kMost: there are too many to tell
};

// Whether the main thread has ended and all threads but the calling one, `ours` and the helpers, too.
bool is_last_thread(const HelperThreads& helpers, std::initializer_list<uint32_t> ours);
// False where is_last_thread() would be false; true may be wrong. Takes no descriptor. `ours`: how many there may be
// beside the calling one.
bool may_be_last_thread(const HelperThreads& helpers, uint32_t ours);

}  // namespace tauprof::capture
