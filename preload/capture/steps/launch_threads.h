// The threads that launch, by small numbers.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

enum class LaunchThread : uint8_t { kOther, kMain, kAutograd };  // kAutograd: PyTorch's, by its name

class LaunchThreads {
 public:
  static constexpr uint32_t kMost = 256;  // the last stands for all that come later

  // The calling thread's number.
  static uint8_t own_number();
  static LaunchThread kind_of(uint8_t number);
};

}  // namespace tauprof::capture
