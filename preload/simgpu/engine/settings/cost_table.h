// The cost table: which kernels cost what (its language: cost_model.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simgpu/engine/clock.h"

namespace simgpu {

struct KernelCost {
  std::string glob;  // as fnmatch(3) has it, of the demangled name
  Nanoseconds fixed = 0;
  double bytes_per_thread = 0;
  double flops_per_thread = 0;
  int argument_ns = -1;  // the index of the argument that gives the duration; -1: none does
};

// The lines of `text`; complains on stderr, naming `source`, about those that it cannot read. # begins a comment.
std::vector<KernelCost> parse_cost_table(std::string_view text, const char* source);

// The line that decides about this kernel. Lives as long as the process.
const KernelCost& kernel_cost(const char* mangled_name);

}  // namespace simgpu
