// A kernel's name without its list of arguments, whose types speak of other things than the kernel does.
#pragma once

#include <string_view>

namespace tauprof {

inline std::string_view function_in(std::string_view name) {
  constexpr std::string_view kNoArguments = "(anonymous namespace)";
  size_t at = 0;
  while ((at = name.find('(', at)) != name.npos && name.substr(at).starts_with(kNoArguments)) at += kNoArguments.size();
  return name.substr(0, at);
}

}  // namespace tauprof
