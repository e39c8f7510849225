// Plays a training loop of any shape on the runtime: a script says what to launch and from which thread.
//
// A line of the script is a number of calls of one kind, or a pause. The script names the kernels; the program
// registers them as code from CUDA's compiler does.
//   kernel main|backward NAME…    graph main|backward NAME    h2d COUNT    d2h COUNT    fill COUNT
//   sync stream|device|event      pause MICROSECONDS
#include <sys/prctl.h>
#include <unistd.h>

#include <condition_variable>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

#include "device_work.h"

extern "C" {
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*);
}

namespace {

using programs::check;

// Like autograd's thread: it has that name, and the caller waits for the work that it hands over.
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
      usleep(std::stoi(first));
    } else if (what == "sync") {
      wait_for(first);
    } else {
      for (int left = std::stoi(first); left > 0; --left) copy(what);
    }
  }

  void finish() { check(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }

 private:
  void launch(const std::string& name) {
    std::unique_ptr<std::string>& kernel = kernels_[name];
    if (kernel == nullptr) {
      kernel = std::make_unique<std::string>(name);
      static void** const handle = __cudaRegisterFatBinary(nullptr);
      __cudaRegisterFunction(handle, kernel->c_str(), kernel->data(), kernel->c_str(), -1, nullptr, nullptr, nullptr,
                             nullptr, nullptr);
    }
    check(cudaLaunchKernel(kernel->c_str(), dim3(8), dim3(128), nullptr, 0, stream_), "cudaLaunchKernel");
  }

  void launch_graph(const std::string& name) {
    cudaGraphExec_t& graph = graphs_[name];
    if (graph == nullptr) {
      cudaGraph_t captured;
      check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
      for (int part = 0; part < 4; ++part) launch(name + "_part_" + std::to_string(part));
      check(cudaStreamEndCapture(stream_, &captured), "cudaStreamEndCapture");
      check(cudaGraphInstantiate(&graph, captured, 0), "cudaGraphInstantiate");
    }
    check(cudaGraphLaunch(graph, stream_), "cudaGraphLaunch");
  }

  void copy(const std::string& what) {
    if (what == "fill") return check(cudaMemsetAsync(memory_, 0, kBytes, stream_), "cudaMemsetAsync");
    const bool is_input = what == "h2d";
    check(cudaMemcpyAsync(is_input ? memory_ : host_, is_input ? host_ : memory_, kBytes,
                          is_input ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, stream_),
          "cudaMemcpyAsync");
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
  BackwardThread backward_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::ifstream script(arguments[1]);
  prctl(PR_SET_TIMERSLACK, 1);
  Player player;
  for (std::string line; std::getline(script, line);) player.play(std::istringstream(line));
  player.finish();
}
