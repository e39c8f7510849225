// Kernels that only an optimizer step launches, told from their names. The words stand in log/update_kernels.def,
// because the recorder looks for them, too.
#pragma once

#include <cstdint>
#include <string_view>

namespace tauprof {

bool is_optimizer_kernel(std::string_view name);
bool is_clipping_kernel(std::string_view name);  // gradient norms, clipping, loss scaling

// What a kernel's name says of its place around an update; the lists are explained in log/update_kernels.def.
enum class UpdateRole : uint8_t { kNone, kUpdate, kScale, kClipping, kList, kClearing };

UpdateRole update_role(std::string_view name);

}  // namespace tauprof
