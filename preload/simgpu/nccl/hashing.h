// Numbers that look random but are the same on all ranks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simgpu::nccl {

// The finalizer of SplitMix64.
inline std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

inline std::uint64_t combined(std::uint64_t a, std::uint64_t b) { return mixed(a ^ mixed(b)); }

inline std::uint64_t hash_bytes(const void* data, std::size_t bytes) {
  const auto* byte = static_cast<const unsigned char*>(data);
  std::uint64_t hash = bytes;
  for (std::size_t i = 0; i < bytes; ++i) hash = combined(hash, byte[i]);
  return hash;
}

// In (0, 1).
inline double unit_interval(std::uint64_t hash) { return (static_cast<double>(hash >> 11) + 0.5) * 0x1p-53; }

}  // namespace simgpu::nccl
