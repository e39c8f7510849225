// Launches what a script says, from the threads that it says: a training loop of any shape, on the real runtime.
//
// A line of the script is one call or one pause; kernels have whatever names it gives, registered as CUDA's compiler
// does. Behind the first call of a step it is printed when
// that was made ("step N BEFORE AFTER", CLOCK_MONOTONIC in ns).
//   kernel main|backward NAME…    graph main|backward NAME    h2d COUNT    d2h COUNT    fill COUNT
//   sync stream|device|event      pause MICROSECONDS          step
#include <sys/prctl.h>
#include <time.h>

#include <condition_variable>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "device_work.h"

extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*);
}

namespace {

using programs::check;

int64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000ll + now.tv_nsec;
}

// As autograd's: named so, and the caller waits for what it hands over.
class BackwardThread {
 public:
  BackwardThread() : thread_([this] { run(); }) {}
  ~BackwardThread() {
    hand_over(nullptr);
    thread_.join();
  }
  void call(const std::function<void()>& work) {
    hand_over(&work);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !has_work_; });
  }

 private:
  void hand_over(const std::function<void()>* work) {
    const std::lock_guard lock(mutex_);
    work_ = work;
    has_work_ = true;
    changed_.notify_all();
  }
  void run() {
    prctl(PR_SET_NAME, "pt_autograd_0");
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return has_work_; });
      if (work_ == nullptr) return;
      (*work_)();
      has_work_ = false;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;
  bool has_work_ = false;
  std::thread thread_;
};

class Player {
 public:
  Player() {
    check(cudaMalloc(&memory_, kBytes), "cudaMalloc");
    check(cudaMallocHost(&host_, kBytes), "cudaMallocHost");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    check(cudaEventCreate(&event_), "cudaEventCreate");
  }

  void play(std::istringstream line) {
    std::string what, first;
    line >> what >> first;
    if (what == "kernel" || what == "graph") {
      const auto work = [&] {
        for (std::string name; line >> name;) what == "graph" ? launch_graph(name) : launch(name);
      };
      first == "backward" ? backward_.call(work) : work();
    } else if (what == "pause") {
      for (const int64_t until = now_ns() + 1000 * std::stoll(first); now_ns() < until;) std::this_thread::yield();
    } else if (what == "sync") {
      wait_for(first);
    } else if (what == "step") {
      begins_step_ = true;
    } else {
      for (int left = std::stoi(first); left > 0; --left) copy(what);
    }
  }

  void finish() { check(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }

 private:
  // Makes the call, and tells when it was made if it begins a step.
  template <class Call>
  void make(const char* what, Call&& call) {
    const int64_t before = now_ns();
    check(call(), what);
    if (!begins_step_) return;
    begins_step_ = false;
    std::printf("step %d %lld %lld\n", steps_++, static_cast<long long>(before), static_cast<long long>(now_ns()));
  }

  void launch(const std::string& name) {
    std::unique_ptr<std::string>& kernel = kernels_[name];
    if (kernel == nullptr) {
      kernel = std::make_unique<std::string>(name);
      static void** const handle = __cudaRegisterFatBinary(nullptr);
      __cudaRegisterFunction(handle, kernel->c_str(), kernel->data(), kernel->c_str(), -1, nullptr, nullptr, nullptr,
                             nullptr, nullptr);
    }
    make("cudaLaunchKernel",
         [&] { return cudaLaunchKernel(kernel->c_str(), dim3(8), dim3(128), nullptr, 0, stream_); });
  }

  void launch_graph(const std::string& name) {
    cudaGraphExec_t& graph = graphs_[name];
    if (graph == nullptr) {
      cudaGraph_t captured;
      check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
      const bool begins_step = std::exchange(begins_step_, false);
      for (int part = 0; part < 4; ++part) launch(name + "_part_" + std::to_string(part));
      begins_step_ = begins_step;
      check(cudaStreamEndCapture(stream_, &captured), "cudaStreamEndCapture");
      check(cudaGraphInstantiate(&graph, captured, 0), "cudaGraphInstantiate");
    }
    make("cudaGraphLaunch", [&] { return cudaGraphLaunch(graph, stream_); });
  }

  void copy(const std::string& what) {
    make(what.c_str(), [&] {
      if (what == "fill") return cudaMemsetAsync(memory_, 0, kBytes, stream_);
      if (what == "h2d") return cudaMemcpyAsync(memory_, host_, kBytes, cudaMemcpyHostToDevice, stream_);
      return cudaMemcpyAsync(host_, memory_, kBytes, cudaMemcpyDeviceToHost, stream_);
    });
  }

  void wait_for(const std::string& what) {
    if (what == "device") return check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    if (what == "stream") return check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    check(cudaEventRecord(event_, stream_), "cudaEventRecord");
    check(cudaEventSynchronize(event_), "cudaEventSynchronize");
  }

  static constexpr std::size_t kBytes = 4096;
  void *memory_ = nullptr, *host_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
  std::map<std::string, std::unique_ptr<std::string>> kernels_;
  std::map<std::string, cudaGraphExec_t> graphs_;
  bool begins_step_ = false;
  int steps_ = 0;
  BackwardThread backward_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::ifstream script(arguments[1]);
  Player player;
  for (std::string line; std::getline(script, line);) player.play(std::istringstream(line));
  player.finish();
}
