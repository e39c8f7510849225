// The engine's state of each thread that calls it: the calls under way, and the number of calls made so far by
// function.
#pragma once

#include <cstdint>

namespace simgpu {

class ApiCall;
struct ApiFunction;

// Trivially destroyed, because other libraries call the engine while the thread ends.
struct CallingThread {
  std::int32_t id = 0;  // gettid; 0: not known yet
  ApiCall* innermost = nullptr;
  std::uint32_t correlation = 0;                    // of the innermost call that has one
  const ApiFunction* outermost_function = nullptr;  // null outside of calls
  std::uint32_t outermost_nth = 0;
  std::uint32_t* counters = nullptr;  // by ApiFunction::index
  std::uint32_t counter_capacity = 0;
  // For calls/collection_cost.h:
  std::int64_t charged_until = 0;  // on the thread's CPU clock; 0: it has made no call
  bool has_launched = false;       // in the outermost call under way
};

CallingThread& calling_thread();

// Counts a call from 1 and returns its number.
std::uint32_t count_call(CallingThread& thread, std::uint32_t function_index);

}  // namespace simgpu
