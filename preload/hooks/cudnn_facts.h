// Facts about calls of cuDNN.
#pragma once

#include <cuda_runtime_api.h>

#include "hooks/cudnn_calls.h"
#include "hooks/hook_kinds.h"
#include "hooks/real_function.h"

namespace tauprof::hooks {

// The stream that the handle (the first argument) is set to.
struct DnnStream : Fact {
  static constexpr bool kAsksLibrary = true;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    using GetStream = int (*)(CudnnHandle, cudaStream_t*);
    const auto get_stream = query_function<GetStream>(kQuery_cudnnGetStream, reading.site);
    cudaStream_t stream = nullptr;
    if (get_stream != nullptr && get_stream(argument<0>(arguments), &stream) == 0)
      reading.call.stream = as_word(stream);
  }
};

// A call of cuDNN. In the category `gemm`, like those of cuBLAS.
using DnnCall = FactList<capture::kCategoryGemm, Launches, DnnStream>;

}  // namespace tauprof::hooks
