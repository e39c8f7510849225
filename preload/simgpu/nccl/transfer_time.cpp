// The formula of transfer_time.h.
#include "simgpu/nccl/transfer_time.h"

#include <cmath>
#include <numbers>

#include "simgpu/engine/config.h"
#include "simgpu/engine/device.h"
#include "simgpu/nccl/hashing.h"

namespace simgpu::nccl {
namespace {

constexpr double kInterferenceShare = 0.15;

struct Shape {
  double steps;
  double factor;
};

Shape shape_of(Function function, int ranks) {
  const double others = ranks - 1;
  switch (function) {
    case Function::AllReduce:
      return {2 * others, 2 * others / ranks};
    case Function::AllGather:
    case Function::ReduceScatter:
    case Function::AlltoAll:
    case Function::Scatter:
    case Function::Gather:
      return {others, others / ranks};
    case Function::Broadcast:
    case Function::Reduce:
      return {others, 1};
    case Function::Send:
    case Function::Recv:
      return {1, 1};
  }
  return {0, 0};
}

double jitter_of(const TransferSettings& settings, std::uint64_t hash) {
  const std::uint64_t first = combined(settings.seed, hash);
  const double radius = std::sqrt(-2 * std::log(unit_interval(first)));
  return std::exp(settings.jitter * radius * std::cos(2 * std::numbers::pi * unit_interval(mixed(first))));
}

Nanoseconds scaled(const TransferSettings& settings, const Shape& shape, double bytes, const Conditions& conditions) {
  const double ideal = settings.alpha_ns * shape.steps +
                       shape.factor * bytes / settings.beta_bytes_per_ns * conditions.slowest * conditions.sharing;
  const double slowdown = 1 + settings.interference * kInterferenceShare * conditions.busy;
  return std::llround(ideal * jitter_of(settings, conditions.hash) * slowdown * settings.time_scale);
}

}  // namespace

TransferSettings configured_settings() {
  const Config& asked = config();
  const DeviceProfile& profile = device_profile();
  TransferSettings settings;
  settings.alpha_ns = static_cast<double>(asked.alpha.value_or(profile.collective_step_latency));
  settings.beta_bytes_per_ns = asked.beta.value_or(profile.collective_bytes_per_s) / 1e9;
  settings.jitter = asked.jitter;
  settings.interference = asked.interference;
  settings.time_scale = asked.time_scale;
  settings.end_scatter = asked.time_scale > 0 ? asked.end_scatter : 0;
  settings.seed = asked.seed;
  settings.data_bytes = asked.collective_data_bytes;
  return settings;
}

Nanoseconds transfer_duration(const TransferSettings& settings, const Message& message, int ranks,
                              const Conditions& conditions) {
  const auto bytes = static_cast<double>(counted_bytes(message, ranks));
  return scaled(settings, shape_of(message.function, ranks), bytes, conditions);
}

Nanoseconds buffering_duration(const TransferSettings& settings, std::uint64_t bytes, const Conditions& conditions) {
  return scaled(settings, {1, 1}, static_cast<double>(bytes), conditions);
}

Nanoseconds scatter_of_rank(const TransferSettings& settings, std::uint64_t hash, int rank) {
  const double share = unit_interval(combined(combined(settings.seed, hash), rank + 1));
  return static_cast<Nanoseconds>(share * static_cast<double>(settings.end_scatter));
}

bool ends_early(const Message& message, int rank, int ranks) {
  const bool is_root = rank == message.peer;
  const bool only_sends = message.function == Function::Send || (is_from_root(message.function) && is_root) ||
                          (is_to_root(message.function) && !is_root);
  return only_sends && sent_bytes(message, rank, ranks) <= kBufferedBytes;
}

}  // namespace simgpu::nccl
