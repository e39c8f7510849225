// How PyTorch spells collectives and element types, and how NCCL's kernels are called.
#pragma once

#include <cstdint>
#include <string_view>

#include "log/format.h"

namespace tauprof::kineto {

// "_reduce_scatter_base" → kReduceScatter; kUnknown for "wait" and whatever else is no transfer.
log::Operation operation_of(std::string_view collective_name);

log::DataType datatype_of(std::string_view torch_name);
int64_t bytes_of(log::DataType type);  // of one element; 0: not known

// Is a kernel of this name one of NCCL's, for this operation?
bool may_carry_out(std::string_view kernel, log::Operation operation);

}  // namespace tauprof::kineto
