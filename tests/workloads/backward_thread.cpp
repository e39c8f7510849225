// See backward_thread.h.
#include "backward_thread.h"

#include <cuda_runtime_api.h>
#include <pthread.h>

#include "checks.h"

namespace training {

BackwardThread::BackwardThread(const std::string& name, int device) : thread_([this, device] { serve(device); }) {
  constexpr std::size_t kLongestName = 15;  // the kernel's limit
  pthread_setname_np(thread_.native_handle(), name.substr(0, kLongestName).c_str());
}

BackwardThread::~BackwardThread() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void BackwardThread::run(const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  changed_.notify_all();
  changed_.wait(lock, [this] { return work_ == nullptr; });
}

void BackwardThread::serve(int device) {
  check(cudaSetDevice(device), "cudaSetDevice");
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_over_ || work_ != nullptr; });
    if (work_ == nullptr) return;
    const std::function<void()>& work = *work_;
    lock.unlock();
    work();
    lock.lock();
    work_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace training
