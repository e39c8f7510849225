// An operator's inputs in a trace recorded with record_shapes: their sizes, types, and the values of those that are no
// tensors.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "log/format.h"

namespace tauprof::kineto {

using Shape = std::vector<int64_t>;

// "[[16, 32], [], [[8], [4]]]": the shape of each input; empty if it is a scalar, a list of tensors, or damaged.
std::vector<Shape> input_shapes(std::string_view dims);

// "[\"float\", \"\", \"[1, 1]\"]": the texts of a list, without quotes.
std::vector<std::string_view> input_texts(std::string_view list);

// "[2, 2]": its numbers; empty if the text is no list of numbers.
Shape numbers_in(std::string_view list);

// How much a collective sends, by the shapes and types of its inputs: what traces have on `nccl:…` ranges, also where
// the operator that describes collectives (record_param_comms) is missing or says nothing.

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
