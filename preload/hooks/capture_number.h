// Asks the CUDA runtime which capture a stream takes part in.
#pragma once

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "capture/rings/thread_state.h"
#include "hooks/real_function.h"

namespace tauprof::hooks {

// The runtime's number of the capture; 0: none. `site`: the return address of the call that is being watched. Not every
// version has all of the function's last four arguments; in every version they may be null.
inline uint64_t capture_number(void* stream, const void* site) {
  using GetInfo = int (*)(void*, int*, unsigned long long*, void*, void*, void*, void*);
  // The legacy default stream is never captured. Asking about it while another is captured would be an error, which the
  // program would see.
  if (stream == nullptr || stream == cudaStreamLegacy) return 0;
  const capture::OwnCalls own;
  const auto get_info = query_function<GetInfo>(kQuery_cudaStreamGetCaptureInfo, site);
  if (get_info == nullptr) return 0;
  int status = cudaStreamCaptureStatusNone;
  unsigned long long number = 0;
  const int result = get_info(stream, &status, &number, nullptr, nullptr, nullptr, nullptr);
  if (result == cudaSuccess) return status == cudaStreamCaptureStatusActive ? number : 0;
  if (const auto clear_error = query_function<int (*)()>(kQuery_cudaGetLastError, site)) clear_error();
  return 0;
}

}  // namespace tauprof::hooks
