// An operator's inputs in a trace recorded with record_shapes: their sizes, types, and the values of those that are no
// tensors.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tauprof::kineto {

using Shape = std::vector<int64_t>;

// "[[16, 32], [], [[8], [4]]]": the shape of each input; empty if it is a scalar, a list of tensors, or damaged.
std::vector<Shape> input_shapes(std::string_view dims);

// "[\"float\", \"\", \"[1, 1]\"]": the texts of a list, without quotes.
std::vector<std::string_view> input_texts(std::string_view list);

// "[2, 2]": its numbers; empty if the text is no list of numbers.
Shape numbers_in(std::string_view list);

}  // namespace tauprof::kineto
