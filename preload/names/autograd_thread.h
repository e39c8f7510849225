// How PyTorch names the threads of its autograd engine: pt_autograd_0, pt_autograd_1, …
#pragma once

#include <string_view>

namespace tauprof {

inline constexpr std::string_view kAutogradThread = "pt_autograd";

}  // namespace tauprof
