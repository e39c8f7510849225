// The includes and macros of every file of exported functions.
#pragma once

#include <nccl.h>

#include "simgpu/engine/call.h"

// Every function has two names: the strong pncclX, and the weak ncclX, which a tool may define instead.
#define WEAK_TWIN(name) extern "C" __attribute__((weak, alias("p" #name))) decltype(name) name;
// The same for a function that nccl.h of the build may be too old to declare. In extern "C".
#define WEAK_TWIN_OF(name) __attribute__((weak, visibility("default"), alias("p" #name))) decltype(p##name) name;
