#include "simgpu/engine/cost_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "simgpu/engine/call.h"
#include "simgpu/engine/config.h"
#include "simgpu/engine/costs/cost_table.h"
#include "simgpu/engine/memory/memory_access.h"
#include "simgpu/engine/settings/random_bits.h"

namespace simgpu {
namespace {

Nanoseconds scaled(double seconds) { return std::llround(seconds * 1e9 * config().time_scale); }

double volume(const std::uint32_t (&extent)[3]) {
  return static_cast<double>(extent[0]) * static_cast<double>(extent[1]) * static_cast<double>(extent[2]);
}

// The share of all SMs that the kernel's blocks occupy if as many as fit are resident at once.
double occupied_share(const KernelShape& shape) {
  constexpr double kThreads = 2048, kBlocks = 32, kRegisters = 65536, kSharedBytes = 228.0 * 1024;
  const double threads = volume(shape.block);
  const double shared = static_cast<double>(shape.dynamic_shared_bytes) + shape.static_shared_bytes;
  const double of_one_sm = std::max(
      {threads / kThreads, 1 / kBlocks, threads * shape.registers_per_thread / kRegisters, shared / kSharedBytes});
  return std::clamp(volume(shape.grid) * of_one_sm / device_profile().sm_count, 0.0, 1.0);
}

double dense_flops(MathType math) { return device_profile().dense_flops[static_cast<std::size_t>(math)]; }

// The user's table may name an argument that the kernel does not have, so it is read with read_memory.
double argument_seconds(void** arguments, int index) {
  void* argument = nullptr;
  std::uint64_t nanoseconds = 0;
  if (arguments != nullptr) read_memory(&argument, arguments + index, sizeof argument);
  if (argument != nullptr) read_memory(&nanoseconds, argument, sizeof nanoseconds);
  constexpr double kLongest = 86400;
  return std::min(static_cast<double>(nanoseconds) * 1e-9, kLongest);
}

// How a GEMM uses the SMs: tiles in whole waves. Narrow matrices have narrower tiles. If there are fewer tiles than
// SMs, they are split along k, into slices of at least 256.
struct Tiling {
  double waves, tile_area, slices_k, share;
};

// Tensor cores read 16 bytes at a time. How much slower other sizes are is a guess.
double alignment_factor(const GemmShape& shape) {
  constexpr double kMisaligned = 2;
  if (shape.math == MathType::Fp32 || shape.math == MathType::Fp64 || shape.element_bytes <= 0) return 1;
  const std::int64_t elements = 16 / shape.element_bytes;
  if (elements < 2 || std::min({shape.m, shape.n, shape.k}) < elements) return 1;
  return shape.m % elements + shape.n % elements + shape.k % elements == 0 ? 1 : kMisaligned;
}

double tile_side(std::int64_t extent, double largest) {
  constexpr double kSmallest = 16;
  return std::min(largest, std::ceil(static_cast<double>(extent) / kSmallest) * kSmallest);
}

Tiling tiling_of(const GemmShape& shape) {
  const double sms = device_profile().sm_count;
  const double rows = tile_side(shape.m, 128), columns = tile_side(shape.n, 256);
  const double tiles = std::ceil(static_cast<double>(shape.m) / rows) *
                       std::ceil(static_cast<double>(shape.n) / columns) * static_cast<double>(shape.batch);
  const double most_slices = std::max(1.0, std::floor(static_cast<double>(shape.k) / 256));
  const double slices = std::clamp(std::floor(sms / tiles), 1.0, most_slices);
  return {std::ceil(tiles * slices / sms), rows * columns, slices, std::min(1.0, tiles * slices / sms)};
}

Resource copy_engine(CopyDirection direction) {
  switch (direction) {
    case CopyDirection::HostToDevice:
      return Resource::CopyIn;
    case CopyDirection::DeviceToHost:
      return Resource::CopyOut;
    case CopyDirection::PeerToPeer:
      return Resource::CopyPeer;
    case CopyDirection::DeviceToDevice:
      return Resource::Compute;  // done by SMs, not by a copy engine
    case CopyDirection::HostToHost:
      break;
  }
  return Resource::None;
}

double copy_bytes_per_s(CopyDirection direction, bool pageable) {
  const DeviceProfile& profile = device_profile();
  if (direction == CopyDirection::PeerToPeer) return profile.peer_copy_bytes_per_s;
  if (direction == CopyDirection::DeviceToDevice) return profile.memory_bytes_per_s / 2;  // read and written
  return pageable ? profile.pageable_copy_bytes_per_s : profile.pinned_copy_bytes_per_s;
}

}  // namespace

Work kernel_work(const char* mangled_name, const KernelShape& shape, void** arguments) {
  if (is_forked_child()) return {};
  const KernelCost& cost = kernel_cost(mangled_name);
  const double threads = volume(shape.grid) * volume(shape.block);
  double seconds = std::max({static_cast<double>(cost.fixed) * 1e-9,
                             threads * cost.bytes_per_thread / device_profile().memory_bytes_per_s,
                             threads * cost.flops_per_thread / dense_flops(MathType::Fp32)});
  if (cost.argument_ns >= 0) seconds = argument_seconds(arguments, cost.argument_ns);
  return {Resource::Compute, scaled(seconds), occupied_share(shape)};
}

Work gemm_work(const GemmShape& shape) {
  constexpr double kFixedSeconds = 3e-6;
  if (shape.m <= 0 || shape.n <= 0 || shape.batch <= 0) return {};
  constexpr double kReachedPart = 0.75;  // the share of the published peak that large GEMMs reach
  const double m = static_cast<double>(shape.m), n = static_cast<double>(shape.n);
  const double k = static_cast<double>(std::max<std::int64_t>(shape.k, 0)), batch = static_cast<double>(shape.batch);
  const Tiling tiling = tiling_of(shape);
  const double flops_of_sm = kReachedPart * dense_flops(shape.math) / device_profile().sm_count;
  const double compute = alignment_factor(shape) * tiling.waves * 2 * tiling.tile_area * (k / tiling.slices_k) / flops_of_sm;
  const double bytes = batch * (m * k + k * n + m * n) * shape.element_bytes;
  const double seconds = std::max({kFixedSeconds, compute, bytes / device_profile().memory_bytes_per_s});
  return {Resource::Compute, scaled(seconds), tiling.share};
}

Work copy_work(CopyDirection direction, bool pageable, std::uint64_t bytes) {
  constexpr double kFixedSeconds = 1.5e-6;
  const double seconds = kFixedSeconds + static_cast<double>(bytes) / copy_bytes_per_s(direction, pageable);
  constexpr double kShareOfSms = 0.25;  // enough to use the whole memory bandwidth
  const Resource resource = copy_engine(direction);
  return {resource, scaled(seconds), resource == Resource::Compute ? kShareOfSms : 0};
}

Work memset_work(std::uint64_t bytes) {
  constexpr double kFixedSeconds = 1.2e-6;
  constexpr double kShareOfSms = 0.25;
  const double seconds = kFixedSeconds + static_cast<double>(bytes) / device_profile().memory_bytes_per_s;
  return {Resource::Compute, scaled(seconds), kShareOfSms};
}

double jitter_factor(int device, std::uint64_t number) {
  const Config& configured = config();
  if (configured.jitter == 0) return 1;
  const auto rank = static_cast<std::uint64_t>(configured.rank_of(device));
  const std::uint64_t key = mixed_bits(mixed_bits(configured.seed, rank), number);
  // The Box-Muller transform, from uniform to normal.
  const double radius = std::sqrt(-2 * std::log(unit_interval(key)));
  const double normal = radius * std::cos(2 * std::numbers::pi * unit_interval(~key));
  return std::exp(configured.jitter * std::clamp(normal, -4.0, 4.0));
}

}  // namespace simgpu
