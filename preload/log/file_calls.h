// Where calls that need a descriptor are made. In a process of somebody else, a thread may send its own to a thread
// that has a table of descriptors to itself (capture/base/file_thread.h); all others make them at once.
#pragma once

namespace tauprof::log {

// Set where no program shares the table of descriptors, so that ours need not keep out of its way (own_file.h).
inline bool is_process_ours = false;

using FileTask = void (*)(void* data);

// The calling thread's. Runs the task and returns when it is done. Null: at once, on this thread.
inline thread_local void (*run_file_task)(FileTask task, void* data) = nullptr;

// Returns what `calls` returns. errno is not carried over.
template <class Calls>
auto file_calls(Calls calls) {
  if (run_file_task == nullptr) return calls();
  struct Task {
    Calls& calls;
    decltype(calls()) result;
  } task{calls, {}};
  run_file_task(
      [](void* data) {
        auto& self = *static_cast<Task*>(data);
        self.result = self.calls();
      },
      &task);
  return task.result;
}

}  // namespace tauprof::log
