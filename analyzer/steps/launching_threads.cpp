#include "steps/launching_threads.h"

namespace tauprof {

bool is_autograd_thread(std::string_view name) { return name.find("pt_autograd") != name.npos; }

uint16_t main_thread(const ProcessTrace& trace) {
  for (size_t thread = 0; thread < trace.threads.size(); ++thread)
    if (trace.threads[thread].is_main) return static_cast<uint16_t>(thread);
  for (const HostCall& call : trace.calls)
    if (launches_work(call.call_class)) return call.thread;
  return 0;
}

std::vector<LaunchingThread> launching_threads(const ProcessTrace& trace) {
  std::vector<LaunchingThread> threads(trace.threads.size());
  for (const HostCall& call : trace.calls) {
    LaunchingThread& thread = threads[call.thread];
    thread.launches |= launches_work(call.call_class);
    thread.launches_kernels |= call.call_class == CallClass::kKernel || call.call_class == CallClass::kGemm;
  }
  bool is_named = false;
  for (size_t i = 0; i < threads.size(); ++i) {
    threads[i].is_backward = threads[i].launches_kernels && is_autograd_thread(trace.names[trace.threads[i].name]);
    is_named |= threads[i].is_backward;
  }
  if (is_named || threads.empty()) return threads;
  const uint16_t main = main_thread(trace);
  if (!trace.threads[main].is_main || !threads[main].launches_kernels) return threads;
  for (size_t i = 0; i < threads.size(); ++i) threads[i].is_backward = i != main && threads[i].launches_kernels;
  return threads;
}

}  // namespace tauprof
