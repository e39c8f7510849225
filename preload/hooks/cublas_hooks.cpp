#include <cublasLt.h>
#include <cublas_api.h>

#include "hooks/gemm_facts.h"
#include "hooks/overloaded_gemms.h"
#include "hooks/wrapper.h"

#define TAUPROF_HOOK(name, declared, ...) \
  TAUPROF_EXPAND_HOOK(name, declared, CUBLAS_STATUS_NOT_INITIALIZED, __VA_ARGS__)
#include "hooks/cublas.def"
#include "hooks/cublaslt.def"
