#include "capture/rows/step_marker.h"

#include <string.h>

#include "names/glob.h"

namespace tauprof::capture {

const char* after_prefix(const char* text, const char* prefix) {
  const size_t size = strlen(prefix);
  return strncmp(text, prefix, size) == 0 ? text + size : nullptr;
}

StepMarker::StepMarker(const char* marker)
    : function_(after_prefix(marker, "call:")), range_(after_prefix(marker, "nvtx:")) {}

void StepMarker::take_call(log::Writer& writer, uint32_t thread, const char* function, int64_t time) {
  if (function_ != nullptr && strcmp(function, function_) == 0) mark(writer, thread, time);
}

void StepMarker::take_range(log::Writer& writer, uint32_t thread, const char* name, size_t size, int64_t time) {
  if (range_ != nullptr && matches_glob(range_, {name, size})) mark(writer, thread, time);
}

void StepMarker::mark(log::Writer& writer, uint32_t thread, int64_t time) {
  writer.append(log::StepMark{time, thread, steps_++});
}

}  // namespace tauprof::capture
