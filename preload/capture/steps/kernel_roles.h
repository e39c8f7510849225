// What a kernel's mangled name says of its place in a training step. The words stand in log/update_kernels.def
// and are those of the analyzer, whose steps the recorder's windows have to agree with.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

enum class KernelRole : uint8_t {
  kOther,
  kUpdate,      // only an optimizer launches it
  kNearUpdate,  // clipping, loss scaling, and what works on lists of tensors as unfused optimizers do
};

// `mangled` may be null. Names of source files inside it do not count: a kernel of optimizer.cu need not be an update.
KernelRole kernel_role(const char* mangled);

}  // namespace tauprof::capture
