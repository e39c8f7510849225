#include <nccl.h>

#include "hooks/nccl_facts.h"
#include "hooks/wrapper.h"

#define TAUPROF_HOOK(name, declared, ...) TAUPROF_EXPAND_HOOK(name, declared, ncclSystemError, __VA_ARGS__)
#include "hooks/nccl.def"
