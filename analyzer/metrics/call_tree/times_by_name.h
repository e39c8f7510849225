// Device and host time by operator, by module and by line of Python, from the paths on which it was spent.
//
// `self` is what lies directly in something of the name, `total` also what lies in others inside of it; a name that is
// on a path twice counts once. What is in none has a row without a name or, of a backward pass, is "backward", so `self`
// sums to all there is. Example, with 3 ms in the kernels of the last operator:
//
//   GPT_0 > Linear_1 > aten::linear > aten::addmm
//   operators   aten::linear 0 of 3, aten::addmm 3 of 3       modules   GPT_0 0 of 3, GPT_0.Linear_1 3 of 3
//
// Ranges that the program or its framework named stand among the operators. What lies in an operator is its own, though
// a range (nccl:all_reduce) may lie inside it: so `self` is what PyTorch's profiler calls self_device_time. A table
// without any name but these is empty.
#pragma once

#include <string>
#include <vector>

#include "metrics/call_tree/call_tree.h"

namespace tauprof {

struct TimesOfName {
  std::string name;  // empty: in none
  PathKind kind = PathKind::kRoot;
  PathTimes self;
  PathTimes total;
};

// The most device time first.
std::vector<TimesOfName> times_of_operators(const CallTree& tree);
// By path: "GPT_0.Block_3.Linear_7".
std::vector<TimesOfName> times_of_modules(const CallTree& tree);
std::vector<TimesOfName> times_of_lines(const CallTree& tree);

}  // namespace tauprof
