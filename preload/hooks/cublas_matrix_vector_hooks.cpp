#include <cublas_api.h>

#include "hooks/gemm_facts.h"
#include "hooks/wrapper.h"

// Programs still call the deprecated functions.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define TAUPROF_HOOK(name, declared, ...) \
  TAUPROF_EXPAND_HOOK(name, declared, CUBLAS_STATUS_NOT_INITIALIZED, __VA_ARGS__)
#include "hooks/cublas_matrix_vectors.def"
