// A collective as PyTorch's traces describe it, in the arguments of its kernel.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/process_trace.h"

namespace tauprof::kineto_export {

// How PyTorch calls a type in the arguments of a collective, and among the inputs of an operator; empty: not at all.
std::string_view torch_type(log::DataType type);
std::string_view c_type(log::DataType type);

// Its name, or its identity in hexadecimal digits; empty if neither is known.
std::string name_of(const Communicator& communicator);
// "[0, 1]", from the log, or else from `members` (by identity); empty if they are not known.
std::string rank_list(const Communicator& communicator, const std::map<uint64_t, std::vector<int32_t>>& members);

// Members of a JSON object, each after ", "; empty if PyTorch has no name for the operation.
std::string describe_collective(const CollectiveCall& collective, const Communicator& communicator,
                                const std::map<uint64_t, std::vector<int32_t>>& members);

}  // namespace tauprof::kineto_export
