// Writes the step boundaries that are known while recording: TAUPROF_STEP_MARKER=nvtx:GLOB and call:FUNCTION. The
// analyzer finds those of kernel:GLOB, because it knows the kernels' names.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "log/writer.h"

namespace tauprof::capture {

class StepMarker {
 public:
  // `marker`: the variable's value, or an empty text; must outlive this object.
  explicit StepMarker(const char* marker);
  void take_call(log::Writer& writer, uint32_t thread, const char* function, int64_t time);
  void take_range(log::Writer& writer, uint32_t thread, const char* name, size_t size, int64_t time);

 private:
  void mark(log::Writer& writer, uint32_t thread, int64_t time);

  const char* function_ = nullptr;
  const char* range_ = nullptr;
  int64_t steps_ = 0;
};

// The text after the prefix; null if the text does not start with it.
const char* after_prefix(const char* text, const char* prefix);

}  // namespace tauprof::capture
