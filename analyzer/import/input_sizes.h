// How much a collective sends, by the shapes and types of its inputs: what traces have on `nccl:…` ranges, also where
// the operator that describes collectives (record_param_comms) is missing or says nothing.
#pragma once

#include <cstdint>
#include <string_view>

#include "log/format.h"

namespace tauprof::kineto {

struct InputSize {
  int64_t elements = 0;                              // of all tensors; 0: not known
  log::DataType datatype = log::DataType::kUnknown;  // of all of them, if it is one
};

// `dims`: "[[512, 4], [[8], []]]", in which a list of numbers, also an empty one, is the shape of a tensor.
// `types`: "[\"float\", \"c10::Half\"]".
InputSize input_size(std::string_view dims, std::string_view types);

// Of a range in the log (docs/log-format.md); 0: nothing is known.
int64_t payload_of(const InputSize& size);

}  // namespace tauprof::kineto
