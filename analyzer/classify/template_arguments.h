// The arguments of templates in the names of kernels, as demanglers write them.
#pragma once

#include <string_view>
#include <vector>

namespace tauprof {

// Of the first template in `name` that is called `word`, which ends with the bracket that opens its arguments; empty:
// there is none. Commas within brackets of any kind separate no arguments.
std::vector<std::string_view> template_arguments(std::string_view name, std::string_view word);

}  // namespace tauprof
