// Which threads launch device work, and which of them launch backward passes.
//
// PyTorch's autograd threads are known by name. If no thread has such a name, each thread beside the main one that
// launches kernels is taken for one, provided that the main thread launches kernels, too.
#pragma once

#include <string_view>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

struct LaunchingThread {
  bool launches = false;
  bool launches_kernels = false;
  bool is_backward = false;
};

// Index = thread.
std::vector<LaunchingThread> launching_threads(const ProcessTrace& trace);
// The thread that represents the process: the one marked main, else the first that launches.
uint16_t main_thread(const ProcessTrace& trace);
bool is_autograd_thread(std::string_view name);

}  // namespace tauprof
