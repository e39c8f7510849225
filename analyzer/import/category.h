// What kind of event a trace's `cat` names, in the spellings of old and new profilers.
#pragma once

#include <cstdint>
#include <string_view>

namespace tauprof::kineto {

enum class Category : uint8_t {
  kNone,     // not given
  kUnknown,  // given, but not one of these
  kKernel,
  kMemcpy,
  kMemset,
  kSynchronization,
  kApiCall,  // of the CUDA runtime or driver
  kAnnotation,
  kOperator,
  kPython,
  kOverhead,
  kGpuAnnotation,  // mirrors host annotations on the device's rows
  kTraceSpan,      // the profiler's own span
  kInstant,        // host instants, the memory events among them
};

Category category_of(std::string_view text);

inline bool is_device_category(Category category) {
  return category >= Category::kKernel && category <= Category::kSynchronization;
}

}  // namespace tauprof::kineto
