// Small numbers for the threads that launch.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

enum class LaunchThread : uint8_t { kOther, kMain, kAutograd };  // kAutograd: PyTorch's, by name

class LaunchThreads {
 public:
  static constexpr uint32_t kMost = 256;  // the last number is shared by all later threads

  // The calling thread's number.
  static uint8_t own_number();
  static LaunchThread kind_of(uint8_t number);
};

}  // namespace tauprof::capture
