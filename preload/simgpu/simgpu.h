/* What a program may tell the simulator, where there is one. Look the symbol up with dlsym(RTLD_DEFAULT, …): on a real
 * GPU it is not there. It goes into the truth file and nowhere else, so that no profiler can learn from it. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `what`: "step", or "phase:" and its name; `index` counts them; `begin` is 1 where it begins and 0 where it ends. Called
 * on the thread whose host time it bounds. */
typedef void (*simgpu_announce_function)(const char* what, int64_t index, int begin);
void simgpu_announce(const char* what, int64_t index, int begin);

#ifdef __cplusplus
}
#endif
