// Names of kernels that fit into a column and still tell the kernels apart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tauprof {

// Each name for a terminal, in at most `width` columns; equal names stay equal, different ones differ. Template
// arguments of
//   void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, …>(int, …)
// go first, from the middle; where two kernels differ only there, what tells them apart stays.
std::vector<std::string> distinct_names(const std::vector<std::string>& names, size_t width);

}  // namespace tauprof
