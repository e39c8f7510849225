// Series of step times with noise of which each step hands a part on to the next: an AR(1) process.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace tauprof {

struct Noise {
  double deviation = 0;  // of a step
  double memory = 0;     // the part that the next step gets
};

// Normally distributed around `mean`. The same for the same seed; the distributions of the standard library are not.
inline std::vector<double> noisy_series(size_t steps, double mean, Noise noise, uint64_t seed) {
  std::mt19937_64 engine(seed);
  const auto uniform = [&] { return (static_cast<double>(engine() >> 11) + 0.5) * 0x1p-53; };
  const auto normal = [&] {  // Box and Muller
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * 3.14159265358979323846 * uniform());
  };
  std::vector<double> series;
  double level = normal();
  for (size_t step = 0; step < steps; ++step) {
    series.push_back(mean + noise.deviation * level);
    level = noise.memory * level + std::sqrt(1 - noise.memory * noise.memory) * normal();
  }
  return series;
}

}  // namespace tauprof
