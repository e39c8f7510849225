#include <cublas.h>

#include "hooks/gemm_facts.h"
#include "hooks/wrapper.h"

#define TAUPROF_HOOK(name, declared, ...) TAUPROF_EXPAND_HOOK(name, declared, 0, __VA_ARGS__)
#include "hooks/cublas_legacy.def"
