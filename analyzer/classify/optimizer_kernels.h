// Kernels that only an optimizer step launches, told from their names: PyTorch's fused and foreach
// optimizers, apex, bitsandbytes, DeepSpeed, TransformerEngine.
#pragma once

#include <string_view>

namespace tauprof {

bool is_optimizer_kernel(std::string_view name);
bool is_clipping_kernel(std::string_view name);  // gradient norms, clipping, loss scaling

}  // namespace tauprof
