/* The announcements of a program to the simulator. Look the symbol up with dlsym(RTLD_DEFAULT, …): it does not exist on
 * a real GPU. Announcements go into the truth file and nowhere else, so no profiler can learn from them. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `what` is "step" or "phase:NAME", `index` counts them, `is_start` is 1 at the start and 0 at the end. Call it on the
 * thread whose host time it bounds. */
typedef void (*simgpu_announce_function)(const char* what, int64_t index, int is_start);
void simgpu_announce(const char* what, int64_t index, int is_start);

#ifdef __cplusplus
}
#endif
