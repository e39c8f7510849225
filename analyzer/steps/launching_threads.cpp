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
  for (size_t i = 0; i + 1 < trace.first_call.size(); ++i)
    for (uint32_t call = trace.first_call[i]; call < trace.first_call[i + 1] && !threads[i].launches_kernels; ++call) {
      const CallClass call_class = trace.calls[call].call_class;
      threads[i].launches |= launches_work(call_class);
      threads[i].launches_kernels = call_class == CallClass::kKernel || call_class == CallClass::kGemm;
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
