// How PyTorch spells collectives and element types, and what NCCL calls its kernels.
#pragma once

#include <cstdint>
#include <string_view>

#include "log/format.h"

namespace tauprof::kineto {

// "_reduce_scatter_base" → kReduceScatter; kUnknown for "wait" and other names that are no transfer.
log::Operation operation_of(std::string_view collective_name);

log::DataType datatype_of(std::string_view torch_name);
int64_t bytes_of(log::DataType type);  // of one element; 0: not known

// Whether a kernel of this name is one of NCCL's that carry out this operation.
bool may_carry_out(std::string_view kernel, log::Operation operation);

}  // namespace tauprof::kineto
