// Many copies in one call. They are queued one after another, which is one of the orders that the documentation allows.
#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/copy.h"

namespace simgpu {
namespace {

struct FlatBatch {
  void* const* destinations;
  const void* const* sources;
  const std::size_t* sizes;
  std::size_t count;
  const cudaMemcpyAttributes* attributes;
  const std::size_t* first_indices;  // of the copies to which each attribute applies
  std::size_t attribute_count;
};

bool has_valid_attributes(const FlatBatch& batch) {
  if (batch.attributes == nullptr || batch.first_indices == nullptr) return false;
  if (batch.attribute_count == 0 || batch.attribute_count > batch.count) return false;
  for (std::size_t i = 0; i < batch.attribute_count; ++i) {
    const bool rises = i == 0 ? batch.first_indices[0] == 0 : batch.first_indices[i] > batch.first_indices[i - 1];
    const auto order = batch.attributes[i].srcAccessOrder;
    if (!rises || batch.first_indices[i] >= batch.count) return false;
    if (order <= cudaMemcpySrcAccessOrderInvalid || order > cudaMemcpySrcAccessOrderAny) return false;
  }
  return true;
}

cudaError_t submit_batch(const FlatBatch& batch, std::size_t* failed_index, const CopyOrder& order) {
  *failed_index = SIZE_MAX;
  if (batch.count == 0 || batch.destinations == nullptr || batch.sources == nullptr || batch.sizes == nullptr ||
      !has_valid_attributes(batch)) {
    return cudaErrorInvalidValue;
  }
  // The documentation forbids the legacy stream here.
  if (order.stream == cudaStreamLegacy || (order.stream == nullptr && order.default_stream == DefaultStream::Legacy)) {
    return cudaErrorInvalidValue;
  }
  for (std::size_t i = 0; i < batch.count; ++i) {
    const Copy copy = flat_copy(batch.destinations[i], batch.sources[i], batch.sizes[i], cudaMemcpyDefault);
    const cudaError_t error = submit_copy(copy, order);
    if (error == cudaSuccess) continue;
    *failed_index = i;
    return error;
  }
  return cudaSuccess;
}

}  // namespace

#if SIMGPU_CUDART_MAJOR == 12

// CUDA 12 reports the copy that failed; CUDA 13 dropped the parameter.
#define BATCH_IN_12(exported, meaning)                                                                                 \
  extern "C" SIMGPU_API cudaError_t simgpu_##exported(void** dsts, void** srcs, std::size_t* sizes, std::size_t count, \
                                                      cudaMemcpyAttributes* attributes, std::size_t* first_indices,    \
                                                      std::size_t attribute_count, std::size_t* failed,                \
                                                      cudaStream_t stream) asm(#exported);                             \
  extern "C" SIMGPU_API cudaError_t simgpu_##exported(                                                                 \
      void** dsts, void** srcs, std::size_t* sizes, std::size_t count, cudaMemcpyAttributes* attributes,               \
      std::size_t* first_indices, std::size_t attribute_count, std::size_t* failed, cudaStream_t stream) {             \
    static const ApiFunction function{#exported, ApiDomain::Runtime, CUPTI_RUNTIME_TRACE_CBID_##exported##_v12080};    \
    return run_call(function, Needs::Device, nullptr, nullptr, [&] {                                                   \
      const FlatBatch batch{dsts, srcs, sizes, count, attributes, first_indices, attribute_count};                     \
      std::size_t failed_index = 0;                                                                                    \
      return submit_batch(batch, failed != nullptr ? failed : &failed_index, {stream, meaning, true});                 \
    });                                                                                                                \
  }
BATCH_IN_12(cudaMemcpyBatchAsync, DefaultStream::Legacy)
BATCH_IN_12(cudaMemcpyBatchAsync_ptsz, DefaultStream::PerThread)

#else

RUNTIME_TWINS(cudaMemcpyBatchAsync, _ptsz, v13000, v13000,
              (void* const* dsts, const void* const* srcs, const std::size_t* sizes, std::size_t count,
               cudaMemcpyAttributes* attrs, std::size_t* attrsIdxs, std::size_t numAttrs, cudaStream_t stream),
              (dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, stream)) {
  std::size_t failed_index = 0;
  return submit_batch({dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs}, &failed_index,
                      {stream, default_stream, true});
}

#endif

}  // namespace simgpu
