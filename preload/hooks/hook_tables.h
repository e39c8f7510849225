// All tables, in the order of the hook numbers. Define TAUPROF_HOOK, then include this file; it has no include guard.
// TAUPROF_HOOK_LIBRARY, if defined, is expanded before the first hook of each library except the runtime, which comes
// first.
#ifndef TAUPROF_HOOK_LIBRARY
#define TAUPROF_HOOK_LIBRARY(library)
#endif
// clang-format off
#include "hooks/cuda_runtime.def"
TAUPROF_HOOK_LIBRARY(Cublas)
#include "hooks/cublas.def"
#include "hooks/cublas_vectors.def"
#include "hooks/cublas_matrix_vectors.def"
#include "hooks/cublas_matrices.def"
#include "hooks/cublas_legacy.def"
TAUPROF_HOOK_LIBRARY(CublasLt)
#include "hooks/cublaslt.def"
TAUPROF_HOOK_LIBRARY(Nccl)
#include "hooks/nccl.def"
TAUPROF_HOOK_LIBRARY(Cupti)
#include "hooks/cupti.def"
TAUPROF_HOOK_LIBRARY(Cudnn)
#include "hooks/cudnn.def"
TAUPROF_HOOK_LIBRARY(Driver)
#include "hooks/cuda_driver.def"
// clang-format on
#undef TAUPROF_HOOK_LIBRARY
#undef TAUPROF_HOOK
