#include "simgpu/engine/config.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "simgpu/engine/calls/fork.h"
#include "simgpu/engine/settings/config_options.h"

namespace simgpu {
namespace {

std::optional<int> rank_from_launcher() {
  for (const char* variable : {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    const char* text = std::getenv(variable);
    if (text == nullptr) continue;
    int rank = -1;
    const char* text_end = text + std::strlen(text);
    if (std::from_chars(text, text_end, rank).ptr == text_end && rank >= 0) return rank;
  }
  return std::nullopt;
}

Config read_environment() {
  Config config;
  config.launcher_rank = rank_from_launcher();
  if (const char* options = std::getenv("SIMGPU_OPTIONS")) apply_options(options, config);
  if (const char* connections = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS"))
    config.has_one_connection = std::strcmp(connections, "1") == 0;
  if (const char* directory = std::getenv("SIMGPU_TRUTH")) config.truth_directory = directory;
  return config;
}

struct Simulation {
  Config config = read_environment();
  Nanoseconds start = host_now();
};

const Simulation& simulation() {
  static const Simulation& begun = *[] {
    note_simulation_started();
    return new Simulation;
  }();
  return begun;
}

}  // namespace

const Config& config() { return simulation().config; }

Nanoseconds simulation_start() { return simulation().start; }

int Config::rank_of(int device) const { return launcher_rank.value_or(device); }

const Injection& Config::injection(int device) const {
  static const Injection& none = *new Injection;
  const int rank = rank_of(device);
  for (const auto& [named, injection] : injections)
    if (named == rank) return injection;
  return none;
}

}  // namespace simgpu
