// Reads what the TAUPROF_… variables ask for, once, at the first CUDA call. A bad value is reported on stderr together
// with what is accepted, and the default holds.
#pragma once

#include "capture/base/messages.h"
#include "names/recorder_settings.h"

namespace tauprof::capture {

// Reads TAUPROF_ENABLE alone, cheaply and silently, for the library's constructor. A library that was not preloaded
// must be asked for.
bool is_enabled_by_environment(bool is_preloaded);

void read_configuration(Configuration& configuration);

// Where timelines are asked for: the recorder ends with the process and makes none.
void say_who_reduces(const Configuration& configuration);

// Whether a list such as "0,4-7" contains `rank`. The empty list contains every rank.
bool rank_is_listed(const char* list, int64_t rank);

}  // namespace tauprof::capture
