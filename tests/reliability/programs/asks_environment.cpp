// Prints what its environment, and that of children, has of the variables by which tools are loaded, before and after
// the first use of NVTX, CUDA and NCCL; a thread looks meanwhile. asks_environment WAY: what it does to the variables
// first: "nothing", "unset" or "clear" them, set them to a file that there is not ("set") or to nothing ("empty").
#include <nccl.h>
#include <nvtx3/nvToolsExt.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "device_work.h"

namespace {

constexpr const char* kNames[] = {"NVTX_INJECTION64_PATH", "CUDA_INJECTION64_PATH", "NCCL_PROFILER_PLUGIN"};
constexpr char kPrintEnvironment[] =
    "env | grep -E '^(NVTX_INJECTION64_PATH|CUDA_INJECTION64_PATH|NCCL_PROFILER_PLUGIN)=' || echo none of them";

bool is_one(const char* entry) {
  for (const char* name : kNames)
    if (std::strncmp(entry, name, std::strlen(name)) == 0) return true;
  return false;
}

void change(const std::string& way) {
  if (way == "clear") clearenv();
  for (const char* name : kNames) {
    if (way == "unset") unsetenv(name);
    if (way == "set") setenv(name, "/nowhere/libnone.so", 1);
    if (way == "empty") setenv(name, "", 1);
  }
}

// In a function of its own, as programs ask.
[[gnu::noinline]] const char* ask(const char* name) { return std::getenv(name); }

void print_own() {
  const char* const direct[] = {std::getenv("NVTX_INJECTION64_PATH"), std::getenv("CUDA_INJECTION64_PATH"),
                                secure_getenv("NCCL_PROFILER_PLUGIN"), secure_getenv("NVTX_INJECTION64_PATH"),
                                secure_getenv("CUDA_INJECTION64_PATH")};
  for (const char* value : direct) std::printf("%s ", value != nullptr ? value : "null");
  for (const char* name : kNames) std::printf("%s ", ask(name) != nullptr ? ask(name) : "null");
  int count = 0;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry, ++count)
    if (is_one(*entry)) std::printf("%s ", *entry);
  std::printf("(%d variables)\n", count);
}

void print_proc() {
  std::ifstream file("/proc/self/environ");
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t at = 0; at < all.size(); at += std::strlen(all.c_str() + at) + 1)
    if (is_one(all.c_str() + at)) std::printf("in /proc: %s\n", all.c_str() + at);
  std::fflush(stdout);
}

void wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
}

void print_children() {
  std::string shell = "sh", option = "-c", command = kPrintEnvironment;
  char* arguments[] = {shell.data(), option.data(), command.data(), nullptr};
  pid_t child = fork();
  if (child == 0) {
    execve("/bin/sh", arguments, environ);
    _exit(127);
  }
  wait_for(child);
  child = vfork();
  if (child == 0) {
    execv("/bin/sh", arguments);
    _exit(127);
  }
  wait_for(child);
  if (posix_spawn(&child, "/bin/sh", nullptr, nullptr, arguments, environ) == 0) wait_for(child);
  [[maybe_unused]] const int status = std::system(kPrintEnvironment);
}

void print_all(const char* when) {
  std::printf("%s:\n", when);
  print_own();
  print_proc();
  print_children();
}

// Looks at the environment all the time.
class Watcher {
 public:
  ~Watcher() {
    is_over_ = true;
    thread_.join();
    std::printf("seen meanwhile: %d\n", seen_);
  }

 private:
  void watch() {
    for (const char* name : kNames) seen_ += ask(name) != nullptr;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) seen_ += is_one(*entry);
  }

  int seen_ = 0;
  std::atomic<bool> is_over_{false};
  std::thread thread_{[this] {
    while (!is_over_) watch();
    seen_ = seen_ != 0;
  }};
};

void use_nvtx() {
  nvtxRangePushA("a range");
  nvtxRangePop();
}

void use_nccl() {
  ncclComm_t communicator = nullptr;
  programs::check(cudaSetDevice(0), "cudaSetDevice");
  std::printf("ncclCommInitAll: %d\n", ncclCommInitAll(&communicator, 1, nullptr));
  void* memory = nullptr;
  programs::check(cudaMalloc(&memory, 1024), "cudaMalloc");
  std::printf("ncclAllReduce: %d\n", ncclAllReduce(memory, memory, 256, ncclFloat, ncclSum, communicator, nullptr));
  programs::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  ncclCommDestroy(communicator);
}

}  // namespace

int main(int count, char** arguments) {
  change(count > 1 ? arguments[1] : "nothing");
  print_all("at first");
  {
    const Watcher watcher;
    use_nvtx();
    print_all("with NVTX");
    programs::DeviceWork work;
    work.rounds(10);
    use_nvtx();
    print_all("with CUDA");
    use_nccl();
    print_all("with NCCL");
  }
  return 0;
}
