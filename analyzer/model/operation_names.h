// Operations between ranks: their kinds, and how reports and findings spell them.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

#include "log/format.h"

namespace tauprof {

// Kinds of operations between ranks, by who needs whom.
// Of one root, which has the data that the others get …
inline bool comes_from_root(log::Operation operation) {
  return operation == log::Operation::kBroadcast || operation == log::Operation::kScatter;
}
// … or which gets the data of the others.
inline bool goes_to_root(log::Operation operation) {
  return operation == log::Operation::kReduce || operation == log::Operation::kGather;
}
inline bool is_rooted(log::Operation operation) { return comes_from_root(operation) || goes_to_root(operation); }

// How reports and findings spell operations and element types. Dumps of logs spell them as the format does:
// read/record_names.cpp.

inline std::string_view name_of(log::Operation operation) {
  constexpr std::string_view kNames[] = {"unknown",   "all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                         "broadcast", "reduce",     "gather",     "scatter",        "send",
                                         "recv",      "send_recv",  "barrier"};
  const auto index = static_cast<size_t>(operation);
  return kNames[index < std::size(kNames) ? index : 0];
}

// As nccl-tests and PyTorch write them.
inline std::string_view name_of(log::DataType type) {
  constexpr std::string_view kNames[] = {"unknown",  "int8", "uint8", "int32",     "uint32",     "int64",
                                         "uint64",   "half", "float", "double",    "bfloat16",   "fp8_e4m3",
                                         "fp8_e5m2", "tf32", "int16", "complex64", "complex128", "fp4"};
  const auto index = static_cast<size_t>(type);
  return kNames[index < std::size(kNames) ? index : 0];
}

}  // namespace tauprof
