// Facts about calls of cuDNN.
#pragma once

#include <cuda_runtime_api.h>

#include "capture/base/loaded_library.h"
#include "hooks/cudnn_calls.h"
#include "hooks/hook_kinds.h"

namespace tauprof::hooks {

// The stream that the handle (the first argument) is set to.
struct DnnStream : Fact {
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    using GetStream = int (*)(CudnnHandle, cudaStream_t*);
    static const auto get_stream =
        reinterpret_cast<GetStream>(capture::loaded_function("libcudnn.so", "cudnnGetStream"));
    cudaStream_t stream = nullptr;
    if (get_stream != nullptr && get_stream(argument<0>(arguments), &stream) == 0)
      reading.call.stream = as_word(stream);
  }
};

// A call of cuDNN. In the category `gemm`, like those of cuBLAS.
using DnnCall = FactList<capture::kCategoryGemm, Launches, DnnStream>;

}  // namespace tauprof::hooks
