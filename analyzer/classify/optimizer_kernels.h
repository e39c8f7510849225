// Kernels that only an optimizer step launches, told from their names. The words stand in log/update_kernels.def,
// because the recorder looks for them, too.
#pragma once

#include <string_view>

#include "step_search/update_role.h"

namespace tauprof {

bool is_optimizer_kernel(std::string_view name);
bool is_clipping_kernel(std::string_view name);  // gradient norms, clipping, loss scaling

UpdateRole update_role(std::string_view name);

}  // namespace tauprof
