// What every file of exported functions needs.
#pragma once

#include <nccl.h>

#include "simgpu/engine/call.h"

// Every function has two names in NCCL: the strong pncclX, and the weak ncclX that a tool may define instead.
#define WEAK_TWIN(name) extern "C" __attribute__((weak, alias("p" #name))) decltype(name) name;
