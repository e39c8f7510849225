#include "hooks/cudnn_facts.h"
#include "hooks/wrapper.h"

// CUDNN_STATUS_NOT_INITIALIZED, for a process without cuDNN.
#define TAUPROF_HOOK(name, declared, ...) TAUPROF_EXPAND_HOOK(name, declared, 1, __VA_ARGS__)
#include "hooks/cudnn.def"
