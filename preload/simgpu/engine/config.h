// The configuration of the simulation, read once from the environment.
//
// SIMGPU_OPTIONS holds `key=value` pairs separated by commas, semicolons or white space; docs/simulator.md lists them.
// An unknown key or a bad value prints one line to stderr, which names it and what is accepted; the default stays.
// Injections name a rank (`slow=2:1.2`). A process takes its rank from its launcher (RANK, OMPI_COMM_WORLD_RANK,
// PMI_RANK, SLURM_PROCID); without a launcher the rank is the device's ordinal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simgpu/engine/clock.h"
#include "simgpu/engine/visibility.h"

namespace simgpu {

// The time that an injection affects, counted from the start of the process's simulation.
struct Window {
  Nanoseconds at = 0;
  Nanoseconds length = 0;
  Nanoseconds every = 0;  // 0: once
  double factor = 1;      // applied to durations, if it slows down
};

struct FaultInjection {
  std::string kernel_glob;
  std::uint64_t nth = 1;  // of the kernels that match, counted from 1
  int error = 0;          // a sticky cudaError_t
};

// The injections into one rank.
struct Injection {
  double kernel_factor = 1;        // slow=RANK:FACTOR
  double link_factor = 1;          // slow_link=RANK:FACTOR: divides the β of its transfers
  std::vector<Window> slow_times;  // slow=RANK:FACTOR:AT_S:LENGTH_S[:EVERY_S]
  std::vector<Window> slow_links;  // slow_link=…, the same form
  std::vector<Window>
      host_stalls;  // stall_host=RANK:AT_S:LENGTH_MS[:EVERY_S]: the next call after AT blocks for LENGTH
  std::vector<Window> device_stalls;          // stall_device=…: no operation starts in the window
  std::vector<Window> throttles;              // throttle=RANK:AT_S:LENGTH_S:FACTOR[:EVERY_S]
  std::optional<std::uint64_t> memory_bytes;  // memory_gb=RANK:GB
  std::vector<FaultInjection> faults;         // fail=RANK:GLOB:NTH:ERROR
};

struct Range {
  double low, high;
};

struct Config {
  std::optional<int> launcher_rank;
  int devices = 8;               // devices=N
  std::string profile = "H200";  // profile=H200|H100|A100
  std::uint64_t seed = 1;        // seed=N
  double jitter = 0.02;          // jitter=S: standard deviation of a duration's logarithm
  double interference = 1;       // interference=X: how much transfers and kernels slow each other down; 0: not at all
  Nanoseconds wander = 3000;     // wander_us=X
  double time_scale = 1;         // time_scale=X: of kernels and copies; 0: they take no time
  Nanoseconds launch_latency = 4000;   // launch_latency_us=X: from the call to the earliest start on the device
  Nanoseconds event_record = 0;        // event_record_us=X: what recording an event takes on the host besides
  Nanoseconds dependency_gap = 800;    // dependency_gap_us=X: from an operation's end to its successor's start
  bool spins = false;                  // spin_waits=1: a thread that waits for a device keeps its processor busy
  std::uint64_t data_bytes = 1 << 20;  // data_bytes=N: larger copies and sets move no data
  std::uint64_t collective_data_bytes = 64 << 10;  // collective_data_bytes=N: the same for NCCL, which also computes
  std::optional<Nanoseconds> alpha;  // alpha_us=X: latency of one step of a collective; default: the profile's
  std::optional<double> beta;        // beta_gb_per_s=X: bus bandwidth of collectives; default: the profile's
  Nanoseconds end_scatter = 2000;    // end_scatter_us=X: how far a collective's ends on its ranks lie apart
  bool cupti_disturbs = false;      // cupti_disturbs=1: collecting records costs what follows (calls/collection_cost.h)
  Nanoseconds cupti_launch = 1000;  // cupti_launch_ns=N: a launch, on the host
  Range cupti_factor{1.05, 2.5};    // cupti_factor=LOW:HIGH: the host's code …
  Range cupti_state_ns{1e6, 1e9};   // cupti_state_ms=LOW:HIGH: … for so long each
  Nanoseconds cupti_outlasts = 0;   // cupti_outlasts_ms=X: for how long the factor stays afterwards
  Nanoseconds cupti_pause = 650;    // cupti_pause_ns=N: between two operations of a stream
  int driver_threads = 1;           // driver_threads=N: that the process has from its first context to its end
  std::string cost_table;           // costs=FILE
  bool has_one_connection = false;  // CUDA_DEVICE_MAX_CONNECTIONS=1
  std::string truth_directory;      // SIMGPU_TRUTH=DIR; empty: no truth is written

  // The injections into the rank that drives `device`. The reference is valid until the process ends.
  SIMGPU_API const Injection& injection(int device) const;
  SIMGPU_API int rank_of(int device) const;

  std::vector<std::pair<int, Injection>> injections;  // by rank
};

SIMGPU_API const Config& config();

// When the times of a Window start to count: the first call of config().
SIMGPU_API Nanoseconds simulation_start();

}  // namespace simgpu
