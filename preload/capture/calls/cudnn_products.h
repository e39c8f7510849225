// The products that plans of cuDNN's backend (graph) interface compute.
//
// Executing a plan does not reveal them: a program describes tensors, operations on them and a graph of operations,
// asks for engines that can run it, and makes a plan of one. Each of these descriptors is set into the next or comes
// out of it, and may be destroyed as soon as it is. So what is known of one is copied as it is set or given: sizes of
// tensors into operations, their products into the graph, and from there as far as the plan, recording or not.
// Executing looks up the plan, without a lock.
//
// Not known are plans made from a text (JSON), and what only the device knows: ragged tensors, lengths in tensors.
#pragma once

#include <stdint.h>

#include "log/format.h"

namespace tauprof::capture {

// In the terms of docs/log-format.md, gemm.
struct CudnnProduct {
  uint64_t m, n, k, batch;
  log::ProductForm form;
  log::DataType type;  // of what is multiplied
  uint8_t parts;       // products that are one here; 0: nothing is multiplied
  bool shapes_differ;  // k is m · n · k of all of them, in sum
  bool is_unknown;

  bool is_known() const { return parts > 0 && !is_unknown && k > 0; }
};

// Of a cudnnDataType_t.
log::DataType type_of_cudnn(int type);

class CudnnProducts {
 public:
  static constexpr uint32_t kMost = 1u << 14;  // descriptors at a time

  void created(const void* descriptor, int type);
  void destroyed(const void* descriptor);
  void was_set(const void* descriptor, int name, int type, int64_t count, const void* elements);
  // `elements`: what the library gave.
  void was_asked(const void* descriptor, int type, int64_t count, const void* elements);
  // Null: not known.
  const CudnnProduct* of_plan(const void* plan) const;

 private:
  static constexpr uint32_t kMostSizes = 8;
  struct Tensor {
    uint64_t sizes[kMostSizes];
    uint32_t count;
    log::DataType type;
    bool is_unknown;

    // Of the dimensions from `first` up to `last`, together.
    uint64_t size(uint32_t first, uint32_t last) const;
  };
  struct Descriptor {
    const void* handle;  // null: free; kGone: free, but others may lie behind it
    int type;
    union {
      Tensor tensor;
      CudnnProduct product;
    };
  };

  Descriptor* find(const void* handle) const;
  void set_tensor(Tensor& tensor, int name, int64_t count, const void* elements);
  void set_operation(Descriptor& operation, int name, const Tensor* tensor);
  void set_graph(CudnnProduct& graph, int64_t count, const void* const* operations);

  Descriptor* descriptors_;
};

extern CudnnProducts cudnn_products;

}  // namespace tauprof::capture
