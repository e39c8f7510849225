// The arithmetic of reductions. Floating-point values are added in double and rounded once, which is as exact as any
// real order of additions; integers wrap.
#pragma once

#include <nccl.h>

#include <memory>
#include <vector>

namespace simgpu::nccl {

class Reduction {
 public:
  virtual ~Reduction() = default;
  // Adds one rank's values, each multiplied by `scale` first.
  virtual void add(const std::vector<char>& values, double scale) = 0;
  virtual std::vector<char> result() const = 0;
};

std::unique_ptr<Reduction> make_reduction(ncclRedOp_t operation, ncclDataType_t type, int ranks);

// One value of `type`.
double scalar_value(const void* value, ncclDataType_t type);

}  // namespace simgpu::nccl
