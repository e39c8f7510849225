// Functions of the CUDA runtime whose arguments differ between versions under one name. All arguments are words, so one
// declaration passes on those of every version: it has as many words as the version with most, and a function that has
// fewer never looks at the rest. Which word means what follows from the version of the library that the caller uses.
//
//                          CUDA 12                                        CUDA 13
//   cudaMemPrefetchAsync   address, bytes, device, stream                 address, bytes, location, flags, stream
//   cudaMemcpyBatchAsync   …, attribute count, failed index, stream       …, attribute count, stream
//   cudaMemcpy3DBatchAsync count, list, failed index, flags, stream       count, list, flags, stream
//   cudaGraphAddNode       node, graph, nodes before, count, parameters   node, graph, nodes before, their edges,
//   count, …
#pragma once

#include <cuda_runtime_api.h>

#include "hooks/facts.h"
#include "hooks/real_function.h"

extern "C" {
cudaError_t tauprof_versioned_prefetch(const void* address, size_t bytes, uint64_t third, uint64_t fourth,
                                       uint64_t fifth);
cudaError_t tauprof_versioned_batch(void* const* to, const void* const* from, const size_t* sizes, size_t count,
                                    const void* attributes, size_t* indices, size_t attribute_count, uint64_t eighth,
                                    uint64_t ninth);
cudaError_t tauprof_versioned_batch_3d(size_t count, const void* list, uint64_t third, uint64_t fourth, uint64_t fifth);
cudaError_t tauprof_versioned_add_node(void* node, const void* graph, const void* before, uint64_t fourth,
                                       uint64_t fifth, uint64_t sixth);
// Of CUDA 12.2 to 12.9, with the arguments of CUDA 13.
cudaError_t tauprof_prefetch_v2(const void* address, size_t bytes, uint64_t location, uint64_t flags,
                                cudaStream_t stream);
}

namespace tauprof::hooks {

inline bool calls_cuda_13(const void* site) {
  const capture::OwnCalls own;
  const auto get_version = query_function<int (*)(int*)>(kQuery_cudaRuntimeGetVersion, site);
  int version = 0;
  return get_version != nullptr && get_version(&version) == 0 && version >= 13000;
}

template <int kIn12, int kIn13>
struct VersionedStream : Fact {
  static constexpr bool kAsksLibrary = true;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.call.stream = calls_cuda_13(reading.site) ? argument<kIn13>(arguments) : argument<kIn12>(arguments);
  }
};

// The sum of a list of sizes.
template <int kSizes, int kCount>
struct SumOfSizes : Fact {
  static constexpr PayloadKind kPayload = PayloadKind::kBytes;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    const size_t* const sizes = argument<kSizes>(arguments);
    for (size_t i = 0; sizes != nullptr && i < argument<kCount>(arguments); ++i) reading.call.payload += sizes[i];
  }
};

}  // namespace tauprof::hooks
