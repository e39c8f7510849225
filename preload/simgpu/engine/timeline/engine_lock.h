// The one lock over streams, events, captures, graphs and the timeline. Not recursive. Memory, truth, names and device
// errors have their own locks, which may be taken while this one is held, never the other way round.
#pragma once

#include <mutex>

namespace simgpu {

inline std::mutex& engine_lock() {
  static std::mutex lock;  // trivially destroyed: usable until the last thread is gone
  return lock;
}

}  // namespace simgpu
