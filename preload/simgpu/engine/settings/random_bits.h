// Counter-based random numbers: each is a function of its key, so runs repeat regardless of timing.
#pragma once

#include <cstdint>

namespace simgpu {

// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
inline std::uint64_t mixed_bits(std::uint64_t key) {
  key += 0x9e3779b97f4a7c15;
  key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9;
  key = (key ^ (key >> 27)) * 0x94d049bb133111eb;
  return key ^ (key >> 31);
}

inline std::uint64_t mixed_bits(std::uint64_t a, std::uint64_t b) { return mixed_bits(mixed_bits(a) ^ b); }

// In (0, 1).
inline double unit_interval(std::uint64_t key) { return (static_cast<double>(mixed_bits(key) >> 11) + 0.5) * 0x1p-53; }

}  // namespace simgpu
