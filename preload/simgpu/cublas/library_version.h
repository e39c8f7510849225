// The libraries' version, and the names of their errors.
#pragma once

#include <cublas_api.h>

namespace simgpu {

int library_version();  // major · 10000 + minor · 100 + patch
int runtime_version();  // of the CUDA runtime that they contain
cublasStatus_t library_property(libraryPropertyType type, int* value);
const char* status_name(cublasStatus_t status);
const char* status_text(cublasStatus_t status);

}  // namespace simgpu
