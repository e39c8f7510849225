// The kind of an event by its `cat`, as old and new profilers of all vendors spell it (Kineto's ActivityType.h and its
// forks). event_kind.h has the last word: an event is what its name and arguments say.
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
  kApiCall,  // of a runtime or driver
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
