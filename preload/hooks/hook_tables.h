// All tables, one after the other, for whoever expands TAUPROF_HOOK over every hook. No include guard.
// The order is that of the libraries in library_stem().
// clang-format off
#include "hooks/cuda_runtime.def"
#include "hooks/cublas.def"
#include "hooks/cublas_vectors.def"
#include "hooks/cublas_matrices.def"
#include "hooks/cublas_legacy.def"
#include "hooks/cublaslt.def"
#include "hooks/nccl.def"
#include "hooks/cupti.def"
#include "hooks/cudnn.def"
// clang-format on
#undef TAUPROF_HOOK
