// Step boundaries that can be told while recording: TAUPROF_STEP_MARKER=nvtx:GLOB and call:FUNCTION.
// kernel:GLOB is left to the analyzer, which knows the kernels' names.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "log/writer.h"

namespace tauprof::capture {

class StepMarker {
 public:
  // `marker`: the variable's value, or an empty text. It must stay where it is.
  explicit StepMarker(const char* marker);
  void take_call(log::Writer& writer, uint32_t thread, const char* function, int64_t time);
  void take_range(log::Writer& writer, uint32_t thread, const char* name, size_t size, int64_t time);

 private:
  void mark(log::Writer& writer, uint32_t thread, int64_t time);

  const char* function_ = nullptr;
  const char* range_ = nullptr;
  int64_t steps_ = 0;
};

// What follows the prefix; null: the text does not begin with it.
const char* after_prefix(const char* text, const char* prefix);

// `*` stands for any characters, `?` for one.
bool matches_glob(const char* glob, const char* text, size_t size);

}  // namespace tauprof::capture
