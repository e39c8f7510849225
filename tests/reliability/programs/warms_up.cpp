// A library whose static initialiser makes calls on other threads and waits for them, as libraries do that warm a
// device up. WARM_UP chooses the threads:
//
//   1  a std::thread            4  by opening another such library, WARM_UP_NEXT, from the initialiser
//   2  std::async               5  a thread whose calls come from code that was generated at run time
//   3  a pool of four threads   6  a thread that makes NVTX ranges
//                               7  a thread that multiplies matrices
#if WARM_UP == 7
#include <cublas_v2.h>
#endif
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <sys/mman.h>

#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

namespace {

constexpr int kCalls = 10;

int make_calls() {
  int failed = 0;
  for (int i = 0; i < kCalls; ++i) failed += cudaMemsetAsync(nullptr, 0, 64, nullptr) != cudaSuccess;
  return failed;
}

[[maybe_unused]] int on_a_thread(const std::function<int()>& work) {
  int result = -1;
  std::thread([&] { result = work(); }).join();
  return result;
}

// Four threads that take their work from a queue.
class Pool {
 public:
  Pool() {
    for (int i = 0; i < 4; ++i) threads_.emplace_back([this] { serve(); });
  }
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  std::future<int> add(int (*work)()) {
    std::packaged_task<int()> task(work);
    std::future<int> result = task.get_future();
    {
      const std::lock_guard lock(mutex_);
      tasks_.push(std::move(task));
    }
    changed_.notify_one();
    return result;
  }

 private:
  void serve() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_over_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      std::packaged_task<int()> task = std::move(tasks_.front());
      tasks_.pop();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::packaged_task<int()>> tasks_;
  bool is_over_ = false;
  std::vector<std::thread> threads_;
};

[[maybe_unused]] int in_a_pool() {
  Pool pool;
  std::vector<std::future<int>> results;
  for (int i = 0; i < 8; ++i) results.push_back(pool.add(make_calls));
  int failed = 0;
  for (std::future<int>& result : results) failed += result.get();
  return failed;
}

// The caller of cudaMemsetAsync is a page that belongs to no file.
[[maybe_unused]] int from_generated_code() {
#if !defined(__x86_64__)
  return make_calls();
#else
  auto* const page = static_cast<unsigned char*>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (page == MAP_FAILED) return -1;
  const auto function = reinterpret_cast<unsigned long>(&cudaMemsetAsync);
  const unsigned char code[] = {0x48, 0x83, 0xec, 0x08,                    // sub $8, %rsp
                                0x48, 0xb8, 0,    0,    0, 0, 0, 0, 0, 0,  // mov $function, %rax
                                0xff, 0xd0,                                // call *%rax
                                0x48, 0x83, 0xc4, 0x08,                    // add $8, %rsp
                                0xc3};
  std::memcpy(page, code, sizeof code);
  std::memcpy(page + 6, &function, sizeof function);
  const auto generated = reinterpret_cast<cudaError_t (*)(void*, int, size_t, cudaStream_t)>(page);
  int failed = 0;
  for (int i = 0; i < kCalls; ++i) failed += generated(nullptr, 0, 64, nullptr) != cudaSuccess;
  return failed;
#endif
}

[[maybe_unused]] int with_ranges() {
  for (int i = 0; i < kCalls; ++i) {
    nvtxRangePushA("warm up");
    make_calls();
    nvtxRangePop();
  }
  return 0;
}

[[maybe_unused]] int open_next() {
#ifdef WARM_UP_NEXT
  void* const library = dlopen(WARM_UP_NEXT, RTLD_NOW);
  if (library == nullptr) return -1;
  return reinterpret_cast<int (*)()>(dlsym(library, "failed_calls"))();
#else
  return -1;
#endif
}

#if WARM_UP == 7
int multiply() {
  cublasHandle_t handle;
  float* matrices = nullptr;
  const float one = 1;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return -1;
  int failed = cudaMalloc(reinterpret_cast<void**>(&matrices), 3 * 64 * 64 * sizeof(float)) != cudaSuccess;
  for (int i = 0; i < kCalls; ++i)
    failed += cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 64, 64, 64, &one, matrices, 64, matrices + 4096, 64, &one,
                          matrices + 8192, 64) != CUBLAS_STATUS_SUCCESS;
  return failed;
}
#endif

int warm_up() {
#if WARM_UP == 1
  return on_a_thread(make_calls);
#elif WARM_UP == 2
  return std::async(std::launch::async, make_calls).get();
#elif WARM_UP == 3
  return in_a_pool();
#elif WARM_UP == 4
  return open_next();
#elif WARM_UP == 5
  return on_a_thread(from_generated_code);
#elif WARM_UP == 7
  return on_a_thread(multiply);
#else
  return on_a_thread(with_ranges);
#endif
}

const int failed = warm_up();

}  // namespace

extern "C" __attribute__((visibility("default"))) int failed_calls() { return failed; }
