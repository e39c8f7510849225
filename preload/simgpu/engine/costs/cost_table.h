// The cost table: which kernels cost what. cost_model.h describes its lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simgpu/engine/clock.h"

namespace simgpu {

struct KernelCost {
  std::string glob;  // as in fnmatch(3), for the demangled name
  Nanoseconds fixed = 0;
  double bytes_per_thread = 0;
  double flops_per_thread = 0;
  int argument_ns = -1;  // the index of the argument that gives the duration; -1: none
};

// The lines of `text`, in which # starts a comment. Complains on stderr about lines that it cannot parse, naming
// `source`.
std::vector<KernelCost> parse_cost_table(std::string_view text, const char* source);

// The line that applies to this kernel. Valid until the process ends.
const KernelCost& kernel_cost(const char* mangled_name);

}  // namespace simgpu
