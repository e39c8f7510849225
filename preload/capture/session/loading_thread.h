// A thread for what needs the loader: CUPTI, NVML and the unwinder are opened there, and CUPTI is started.
//
// dlopen() waits while a constructor runs on any thread, and that constructor may be waiting for the very call that
// starts the recording. So the program's thread never opens a library: it waits for this thread, but not without limit,
// and for less than that while the loader is busy. Then it goes on, and what the device does meanwhile is not recorded.
#pragma once

#include <stdint.h>

namespace tauprof::capture {

struct LoadingTask {
  void (*load)(void* data);    // the part that the program's thread waits for
  void (*finish)(void* data);  // the rest
  void* data;
};

enum class Loading : uint8_t { kDone, kGoesOn, kNoThread };

// Starts the thread, which does the task and ends. At most once per process. `data` must stay valid.
Loading load_elsewhere(const LoadingTask& task);

}  // namespace tauprof::capture
