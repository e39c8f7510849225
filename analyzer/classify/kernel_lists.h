// The lists of kernels that rules for phases name (kernel=@clipping), made of the words in classify/update_kernels.def.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tauprof {

struct KernelList {
  std::string_view name;              // with its @
  std::vector<std::string> patterns;  // a kernel is in the list if one of them fits
};

const std::vector<KernelList>& kernel_lists();

}  // namespace tauprof
