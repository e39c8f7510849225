// Names of kernels that fit into a column and still tell the kernels apart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tauprof {

// Each text in at most `width` columns; equal ones stay equal, different ones differ. Of
//   at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, …>
// the middle goes first; where two kernels differ only there, what tells them apart stays.
std::vector<std::string> distinct_texts(const std::vector<std::string>& texts, size_t width);

// Kernels' names for a terminal, without return type and parameters where no two differ only in these.
std::vector<std::string> bare_names(const std::vector<std::string>& names);

}  // namespace tauprof
