#include "cli/simulated_devices.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "cli/installation.h"

namespace tauprof {
namespace {

// Device work, launches and synchronization take no time, and clocks do not drift. Copies move only a small part of the
// data, as a host that copies megabytes would be a cost of the simulation, not of the program.
constexpr char kNoTime[] =
    "time_scale=0,launch_latency_us=0,dependency_gap_us=0,end_scatter_us=0,jitter=0,interference=0,wander_us=0,"
    "data_bytes=65536";

// Leaves out the first quarter of the steps, which use batches that a loader had ready before the loop started, and the
// last step, whose window ends with its own device work instead of the next step's.
double steps_per_second(const std::vector<StepDuration>& steps) {
  if (steps.size() < 2) return 0;
  const size_t first = steps.size() / 4, last = steps.size() - 1;
  double total_ns = 0;
  for (size_t i = first; i < last; ++i) total_ns += steps[i].device_ns.value_or(steps[i].host_ns);
  return total_ns > 0 ? 1e9 * static_cast<double>(last - first) / total_ns : 0;
}

constexpr std::string_view kPrefix = "simgpu-bell-";  // then the process, as preload/simgpu's doorbell.cpp names it
constexpr int kMostTries = 20;
constexpr std::chrono::milliseconds kBetweenTries{50};

// 0: it is no such file.
pid_t owner_of(const std::string& name) {
  pid_t owner = 0;
  if (name.starts_with(kPrefix)) std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), owner);
  return owner;
}

// False if processes of this group still live.
bool remove_those_of_the_dead() {
  bool are_all_dead = true;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/dev/shm", error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const pid_t owner = owner_of(entry->path().filename().string());
    if (owner <= 0) continue;
    if (kill(owner, 0) != 0 && errno == ESRCH) {
      std::error_code ignored;
      std::filesystem::remove(entry->path(), ignored);
    } else if (getpgid(owner) == getpgrp()) {
      are_all_dead = false;
    }
  }
  return are_all_dead;
}

}  // namespace

std::vector<std::string> on_null_gpu(const std::vector<std::string>& command) {
  const std::string script = find_program("with-simgpu", "TAUPROF_WITH_SIMGPU");
  if (script.empty()) return {};
  std::vector<std::string> words = {script, "--options", kNoTime, "--"};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

std::string null_gpu_summary(const Report& report) {
  const double per_second = steps_per_second(report.metrics.steps.selection.analysed);
  if (per_second <= 0 || report.facts.is_by_time())
    return "null GPU: fewer than two steps were found; name what marks their start with --step-marker";
  std::string rate = fmt::format("{:.5g} steps/s", per_second);
  const int ranks = report.facts.world_size > 0 ? report.facts.world_size : report.facts.ranks;
  if (report.batch) rate += fmt::format(", {:.5g} samples/s", *report.batch * ranks * per_second);
  return fmt::format("null GPU: {}, if all device work took no time: input pipeline and host alone", rate);
}

void remove_simulated_leftovers() {
  for (int i = 0; i < kMostTries && !remove_those_of_the_dead(); ++i) std::this_thread::sleep_for(kBetweenTries);
}

}  // namespace tauprof
