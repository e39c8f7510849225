// Runs a fuzz target on changed inputs, each in a process of its own, and measures what each takes: processor time and
// memory. An input that takes too much, or crashes, is kept and makes the run fail.
//
//   measure_analyze --seconds 60 --keep findings tests/fuzz/corpus/analyze
//
// A directory of inputs, or single inputs; with --as-they-are they are not changed.
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz/silence.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
// The target's own way to change an input.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed);

namespace {

using Input = std::vector<uint8_t>;

struct Options {
  double seconds = 1e9;
  uint64_t runs = UINT64_MAX;
  uint64_t seed = 1;
  size_t most_bytes = 1 << 20;
  double most_cpu_s = 2;
  double most_mb = 500;
  bool are_changed = true;
  std::string keep;
  std::vector<std::filesystem::path> inputs;
};

struct Cost {
  double cpu_s = 0;
  double mb = 0;
  int status = 0;
};

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

[[noreturn]] void run_and_leave(const Input& input) {
  const rlimit cpu{30, 31};
  setrlimit(RLIMIT_CPU, &cpu);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
#ifndef TAUPROF_SANITIZED
  const rlimit memory{rlim_t{6} << 30, rlim_t{6} << 30};
  setrlimit(RLIMIT_AS, &memory);
#endif
  tauprof::silence();
  alarm(120);
  LLVMFuzzerTestOneInput(input.data(), input.size());
  _exit(0);
}

Cost cost_of(const Input& input) {
  malloc_trim(0);
  const pid_t child = fork();
  if (child == 0) run_and_leave(input);
  Cost cost;
  rusage usage;
  if (child < 0 || wait4(child, &cost.status, 0, &usage) != child) abort();
  cost.cpu_s = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  cost.mb = static_cast<double>(usage.ru_maxrss) / 1024;
  return cost;
}

Input read_input(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Measuring {
 public:
  explicit Measuring(const Options& options) : options_(options) {
    for (const auto& path : options.inputs)
      if (std::filesystem::is_directory(path))
        for (const auto& entry : std::filesystem::directory_iterator(path)) paths_.push_back(entry.path());
      else
        paths_.push_back(path);
    std::sort(paths_.begin(), paths_.end());
  }

  int run() {
    const auto start = std::chrono::steady_clock::now();
    const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    if (!options_.are_changed)
      for (const auto& path : paths_) measure(read_input(path), path.filename().string());
    double said = 0;
    while (options_.are_changed && !paths_.empty() && runs_ < options_.runs && passed() < options_.seconds) {
      measure(changed(options_.seed + runs_), std::to_string(options_.seed + runs_));
      if (passed() - said > 60) said = passed(), say(said);
    }
    say(passed());
    return paths_.empty() || findings_ > 0 ? 1 : 0;
  }

 private:
  // The same input for the same number.
  Input changed(uint64_t number) {
    std::mt19937_64 random(number);
    Input input = read_input(paths_[random() % paths_.size()]);
    const size_t size = std::min(input.size(), options_.most_bytes);
    input.resize(options_.most_bytes);
    input.resize(LLVMFuzzerCustomMutator(input.data(), size, options_.most_bytes, static_cast<unsigned>(random())));
    return input;
  }

  void measure(const Input& input, const std::string& name) {
    const Cost cost = cost_of(input);
    ++runs_;
    most_cpu_s_ = std::max(most_cpu_s_, cost.cpu_s);
    most_mb_ = std::max(most_mb_, cost.mb);
    all_cpu_s_ += cost.cpu_s;
    if (cost.status == 0 && cost.cpu_s <= options_.most_cpu_s && cost.mb <= options_.most_mb) {
      if (!options_.are_changed) printf("%s: %.2f s, %.0f MB\n", name.c_str(), cost.cpu_s, cost.mb);
      return;
    }
    ++findings_;
    printf("FINDING %s: %.2f s, %.0f MB, %s %d, %zu bytes\n", name.c_str(), cost.cpu_s, cost.mb,
           WIFSIGNALED(cost.status) ? "signal" : "status",
           WIFSIGNALED(cost.status) ? WTERMSIG(cost.status) : WEXITSTATUS(cost.status), input.size());
    fflush(stdout);
    if (options_.keep.empty()) return;
    std::filesystem::create_directories(options_.keep);
    std::ofstream(std::filesystem::path(options_.keep) / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
  }

  void say(double passed) const {
    printf("%llu inputs in %.0f s (%.0f a second), %llu findings; at most %.2f s and %.0f MB, on average %.3f s\n",
           static_cast<unsigned long long>(runs_), passed, static_cast<double>(runs_) / std::max(passed, 1e-9),
           static_cast<unsigned long long>(findings_), most_cpu_s_, most_mb_,
           all_cpu_s_ / std::max(1.0, static_cast<double>(runs_)));
    fflush(stdout);
  }

  const Options& options_;
  std::vector<std::filesystem::path> paths_;
  uint64_t runs_ = 0;
  uint64_t findings_ = 0;
  double most_cpu_s_ = 0, most_mb_ = 0, all_cpu_s_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : "0";
    if (word == "--as-they-are")
      options.are_changed = false;
    else if (word == "--seconds")
      options.seconds = atof(value), ++i;
    else if (word == "--runs")
      options.runs = strtoull(value, nullptr, 10), ++i;
    else if (word == "--seed")
      options.seed = strtoull(value, nullptr, 10), ++i;
    else if (word == "--most-seconds")
      options.most_cpu_s = atof(value), ++i;
    else if (word == "--most-mb")
      options.most_mb = atof(value), ++i;
    else if (word == "--keep")
      options.keep = value, ++i;
    else
      options.inputs.emplace_back(word);
  }
  if (options.inputs.empty()) {
    fprintf(stderr,
            "usage: %s [--seconds N] [--runs N] [--seed N] [--most-seconds N] [--most-mb N] [--keep DIR] "
            "[--as-they-are] INPUT...\n",
            argv[0]);
    return 2;
  }
  return Measuring(options).run();
}
