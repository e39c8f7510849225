// Total operations and moved bytes of device work, as far as they are known.
#pragma once

#include <cstdint>

#include "model/gemm_work.h"

namespace tauprof {

// Of a product that is read and written once: matrices say exactly how much that is, the terms of convolutions and
// attention only between what.
struct MovedBytes {
  double least = 0;
  double most = 0;

  bool is_known() const { return most > 0; }
};

struct KnownWork {
  double flops = 0;
  MovedBytes bytes;
  Precision precision = Precision::kUnknown;  // of the products among it
  uint64_t with_bytes = 0;                    // of how many of the spans the bytes are known …
  uint64_t on_device = 0;                     // … and all that bounds them: operations, and the device's own memory

  void add(const KnownWork& other) {
    if (flops == 0) precision = other.precision;
    // One kernel that multiplies in two precisions: against which peak is not known.
    if (other.flops > 0 && other.precision != precision) precision = Precision::kUnknown;
    flops += other.flops;
    bytes.least += other.bytes.least;
    bytes.most += other.bytes.most;
    with_bytes += other.with_bytes;
    on_device += other.on_device;
  }
};

}  // namespace tauprof
