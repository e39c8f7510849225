#include "simgpu/nccl/kernel_events.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "simgpu/nccl/profiler_events.h"

namespace simgpu::nccl {
namespace {

// The device's timer is not the clock of any other record.
constexpr Nanoseconds kTimerIsAhead = 1'234'567'000'000;
// A block starts a little after the one before it.
constexpr Nanoseconds kBetweenBlocks = 20;
constexpr Nanoseconds kLastSynchronisation = 500;
constexpr const char* kPhaseNames[] = {"initial_sync", "compute", "final_sync"};

struct EndedKernel {
  void* context;
  std::shared_ptr<ProfiledTask> task;
  KernelTimes times;
};

class Teller {
 public:
  void add(EndedKernel kernel) {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(is_running_, true)) std::thread([this] { run(); }).detach();
    waiting_.push_back(std::move(kernel));
    changed_.notify_all();
  }

  void wait_for(void* context) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return told_ != context && std::none_of(waiting_.begin(), waiting_.end(),
                                              [&](const EndedKernel& kernel) { return kernel.context == context; });
    });
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return !waiting_.empty(); });
      const EndedKernel kernel = std::move(waiting_.front());
      waiting_.pop_front();
      told_ = kernel.context;
      lock.unlock();
      if (is_launched(*kernel.task)) tell(kernel);
      lock.lock();
      told_ = nullptr;
      changed_.notify_all();
    }
  }

  // The launching thread may still be telling of the launch; it does not if that fails.
  static bool is_launched(const ProfiledTask& task) {
    constexpr int kMostLooks = 10'000;
    for (int looks = 0; looks < kMostLooks && !task.has_launched; ++looks)
      std::this_thread::sleep_for(std::chrono::microseconds(10));
    return task.has_launched;
  }

  // All channels have started before the first of them ends.
  static void tell(const EndedKernel& kernel) {
    const ProfiledTask& task = *kernel.task;
    const ProfilerPlugin& plugin = *task.plugin_of_kernel;
    std::vector<void*> handles(task.channels);
    for (unsigned channel = 0; channel < task.channels; ++channel) {
      ProfilerDescriptor what{};
      what.type = kKernelChannel;
      what.parent = task.task;
      what.kernel_channel = {static_cast<std::uint8_t>(channel), timer(start_of(kernel, channel))};
      plugin.start(kernel.context, &handles[channel], &what);
    }
    for (unsigned channel = 0; channel < task.channels; ++channel) {
      if (task.tells_phases) tell_phases(kernel, channel, handles[channel]);
      if (!handles[channel]) continue;
      ProfilerStateArguments end{timer(kernel.times.end)};
      plugin.record(handles[channel], kKernelChannelStopped, &end);
      plugin.stop(handles[channel]);
    }
  }

  static Nanoseconds start_of(const EndedKernel& kernel, unsigned channel) {
    return std::min(kernel.times.start + channel * kBetweenBlocks, kernel.times.end);
  }

  static void tell_phases(const EndedKernel& kernel, unsigned channel, void* parent) {
    const ProfilerPlugin& plugin = *kernel.task->plugin_of_kernel;
    const Nanoseconds start = start_of(kernel, channel);
    const Nanoseconds moving = kernel.times.end - kernel.times.ready;
    const Nanoseconds first_piece = kernel.task->is_for_small ? moving * 3 / 4 : 0;
    const Nanoseconds opened = std::max(start, kernel.times.ready + first_piece);
    const Nanoseconds closed = std::max(opened, kernel.times.end - kLastSynchronisation);
    const Nanoseconds bounds[] = {start, opened, closed, kernel.times.end};
    for (std::uint8_t phase = 0; phase < std::size(kPhaseNames); ++phase) {
      if (bounds[phase] == bounds[phase + 1]) continue;
      ProfilerDescriptor what{};
      what.type = kKernelPhase;
      what.parent = parent;
      what.kernel_phase = {static_cast<std::uint8_t>(channel), phase, kPhaseNames[phase], timer(bounds[phase])};
      void* handle = nullptr;
      plugin.start(kernel.context, &handle, &what);
      if (!handle) continue;
      ProfilerStateArguments end{timer(bounds[phase + 1])};
      plugin.record(handle, kKernelPhaseStopped, &end);
      plugin.stop(handle);
    }
  }

  static std::uint64_t timer(Nanoseconds time) { return static_cast<std::uint64_t>(time + kTimerIsAhead); }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<EndedKernel> waiting_;
  void* told_ = nullptr;  // the context of the kernel that is being told of
  bool is_running_ = false;
};

Teller& teller() {
  static auto& only = *new Teller;
  return only;
}

}  // namespace

void profile_kernel(const Communicator& communicator, const std::shared_ptr<ProfiledTask>& task,
                    const KernelTimes& times) {
  if (task->plugin_of_kernel == nullptr || communicator.profiler_context == nullptr) return;
  teller().add({communicator.profiler_context, task, times});
}

void wait_for_kernel_events(const Communicator& communicator) {
  if (communicator.profiler_context != nullptr) teller().wait_for(communicator.profiler_context);
}

}  // namespace simgpu::nccl
