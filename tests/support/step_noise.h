// Noise that some steps share with the next: by how much the kernels of each step take longer or shorter.
#pragma once

#include <cstdint>
#include <vector>

namespace tauprof::generator {

struct StepNoise {
  int64_t permille = 0;         // standard deviation of a step's kernels
  int64_t memory_permille = 0;  // the part of its noise that a step hands on to the next: an AR(1) process
};

// By step, in parts per million of the usual time; normally distributed. The same for the same seed.
std::vector<int64_t> step_factors_ppm(const StepNoise& noise, int steps, uint64_t seed);

}  // namespace tauprof::generator
