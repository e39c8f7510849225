// A kernel's part in an update, by its mangled name. The recorder and the analyzer share the words
// (names/update_kernels.def), because the recorder's windows must agree with the analyzer's steps.
#pragma once

#include "names/update_role.h"

namespace tauprof::capture {

// `mangled` may be null. Names of source files in it do not count: a kernel in optimizer.cu need not be an update.
UpdateRole kernel_role(const char* mangled);
// The same for a kernel's host function or handle. Remembers the roles of recent kernels.
UpdateRole role_of_kernel(const void* kernel);

}  // namespace tauprof::capture
