// What a kernel's mangled name says of its place around an update. The words stand in log/update_kernels.def and are
// those of the analyzer, whose steps the recorder's windows have to agree with.
#pragma once

#include "step_search/update_role.h"

namespace tauprof::capture {

// `mangled` may be null. Names of source files inside it do not count: a kernel of optimizer.cu need not be an update.
UpdateRole kernel_role(const char* mangled);
// The same by a kernel's host function or handle, whose name is looked at once.
UpdateRole role_of_kernel(const void* kernel);

}  // namespace tauprof::capture
