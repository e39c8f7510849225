// The stream that a handle means to a function. For functions of programs compiled for per-thread default streams
// (their names end in _ptsz or _ptds), null is the thread's own default stream.
#pragma once

#include <cuda_runtime_api.h>
#include <string.h>

namespace tauprof::capture {

inline cudaStream_t stream_meant(void* stream, const char* function) {
  const size_t size = strlen(function);
  const bool is_per_thread =
      size > 5 && (strcmp(function + size - 5, "_ptsz") == 0 || strcmp(function + size - 5, "_ptds") == 0);
  return stream == nullptr && is_per_thread ? cudaStreamPerThread : static_cast<cudaStream_t>(stream);
}

}  // namespace tauprof::capture
