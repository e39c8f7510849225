// Kernels that only an optimizer step launches, told from their names. The words stand in classify/update_kernels.def.
#pragma once

#include <string_view>

#include "classify/update_role.h"

namespace tauprof {

bool is_optimizer_kernel(std::string_view name);
bool is_tensor_norm_kernel(std::string_view name);  // norms of single tensors, as gradient clipping launches them

UpdateRole update_role(std::string_view name);

}  // namespace tauprof
