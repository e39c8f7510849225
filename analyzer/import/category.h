// The kind of an event by its `cat`, as old and new profilers spell it.
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
  kGpuAnnotation,  // a copy of a host annotation on the rows of the device
  kTraceSpan,      // the profiler's own span
  kInstant,        // instants on the host, including memory events
};

Category category_of(std::string_view text);

inline bool is_device_category(Category category) {
  return category >= Category::kKernel && category <= Category::kSynchronization;
}

}  // namespace tauprof::kineto
