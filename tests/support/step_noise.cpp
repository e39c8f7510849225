#include "step_noise.h"

#include <cmath>

#include "random.h"

namespace tauprof::generator {
namespace {

// The sum of twelve uniform numbers has variance 1, and is normal as far as tests can tell (Irwin-Hall). No library
// function, whose last digit depends on the machine.
double normal(Random& random) {
  constexpr int64_t kUnit = 1 << 20;
  int64_t sum = 0;
  for (int i = 0; i < 12; ++i) sum += random.below(kUnit);
  return static_cast<double>(sum) / kUnit - 6;
}

}  // namespace

std::vector<int64_t> step_factors_ppm(const StepNoise& noise, int steps, uint64_t seed) {
  Random random(seed ^ 0x5EED0F0157E9u);
  const double memory = static_cast<double>(noise.memory_permille) / 1000;
  const double fresh = std::sqrt(1 - memory * memory);
  double level = normal(random);
  std::vector<int64_t> factors;
  for (int step = 0; step < steps; ++step) {
    factors.push_back(1'000'000 + std::llround(level * static_cast<double>(noise.permille) * 1000));
    level = memory * level + fresh * normal(random);
  }
  return factors;
}

}  // namespace tauprof::generator
