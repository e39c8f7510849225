// Facts about calls of cuDNN.
#pragma once

#include <cuda_runtime_api.h>

#include "capture/calls/cudnn_products.h"
#include "hooks/cuda_facts.h"
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

// A call that multiplies, and says what.
template <class... Facts>
using DnnProducts = Gemm<DnnStream, Facts...>;

// The product that the plan computes, where its descriptors say so.
template <int kPlan>
struct OfPlan : Fact {
  static constexpr PayloadKind kPayload = PayloadKind::kBatch;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    const capture::CudnnProduct* const product = capture::cudnn_products.of_plan(argument<kPlan>(arguments));
    if (product == nullptr) return;
    reading.call.payload = product->batch;
    auto& shape = reading.extension->shape;
    shape.m = product->m;
    shape.n = product->n;
    shape.k = product->k;
    shape.shapes_differ = product->shapes_differ;
    shape.form = static_cast<uint8_t>(product->form);
    shape.type_a = shape.type_b = static_cast<uint8_t>(product->type);
  }
};

// A convolution of the older interface, by the sizes of its weight and of its output (forward), or their gradients.
template <log::ProductForm kForm, int kWeight, int kOutput>
struct OfConvolution : Fact {
  static constexpr bool kAsksLibrary = true;
  static constexpr int kMostSizes = 8;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    using GetTensor = int (*)(const void*, int, int*, int*, int*, int*);
    using GetFilter = int (*)(const void*, int, int*, int*, int*, int*);
    const auto get_tensor = query_function<GetTensor>(kQuery_cudnnGetTensorNdDescriptor, reading.site);
    const auto get_filter = query_function<GetFilter>(kQuery_cudnnGetFilterNdDescriptor, reading.site);
    int type = 0, format = 0, weights = 0, outputs = 0, weight[kMostSizes], output[kMostSizes], strides[kMostSizes];
    if (get_tensor == nullptr || get_filter == nullptr ||
        get_filter(argument<kWeight>(arguments), kMostSizes, &type, &format, &weights, weight) != 0 ||
        get_tensor(argument<kOutput>(arguments), kMostSizes, &type, &outputs, output, strides) != 0 || weights < 3 ||
        outputs < 3 || weights > kMostSizes || outputs > kMostSizes)
      return;
    auto& shape = reading.extension->shape;
    shape.m = as_word(output[0]);
    for (int i = 2; i < outputs; ++i) shape.m *= as_word(output[i]);
    shape.n = as_word(weight[0]);
    shape.k = 1;
    for (int i = 1; i < weights; ++i) shape.k *= as_word(weight[i]);
    shape.form = static_cast<uint8_t>(kForm);
    shape.type_a = shape.type_b = static_cast<uint8_t>(capture::type_of_cudnn(type));
  }
};

struct CreatesDescriptor : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    if (result == 0) capture::cudnn_products.created(*argument<1>(arguments), argument<0>(arguments));
  }
};

// Afterwards another thread may have it.
struct DestroysDescriptor : TrackedFact {
  template <class Arguments>
  static void before(ThreadState&, const Arguments& arguments) {
    capture::cudnn_products.destroyed(argument<0>(arguments));
  }
};

struct SetsAttribute : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    if (result == 0)
      capture::cudnn_products.was_set(argument<0>(arguments), argument<1>(arguments), argument<2>(arguments),
                                      argument<3>(arguments), argument<4>(arguments));
  }
};

struct GivesAttribute : TrackedFact {
  template <class Arguments>
  static void after(ThreadState&, int64_t result, const Arguments& arguments) {
    const int64_t *count = argument<4>(arguments), wanted = argument<3>(arguments);
    if (result != 0 || count == nullptr || argument<5>(arguments) == nullptr) return;
    capture::cudnn_products.was_asked(argument<0>(arguments), argument<2>(arguments), wanted < *count ? wanted : *count,
                                      argument<5>(arguments));
  }
};

}  // namespace tauprof::hooks
