// Classifies kernels by name alone. A name decides only if no call does, except that a name of communication overrides
// a plain launch.
#pragma once

#include <string_view>

#include "log/format.h"

namespace tauprof {

enum class KernelKind {
  kUnknown,        // nothing in the name says what it does
  kCompute,        // a family known to compute
  kCommunication,  // a family known to communicate
  kFused,          // a family known to communicate and compute in one kernel
  kSuspect,        // speaks of communication, but belongs to no known family
};

KernelKind kernel_kind_of(std::string_view name);

// The collective that the name of a communication kernel speaks of; kUnknown: none.
log::Operation operation_of_kernel(std::string_view name);

// A kernel's name without its list of arguments, whose types speak of other things than the kernel does.
inline std::string_view function_in(std::string_view name) {
  constexpr std::string_view kNoArguments = "(anonymous namespace)";
  size_t at = 0;
  while ((at = name.find('(', at)) != name.npos && name.substr(at).starts_with(kNoArguments)) at += kNoArguments.size();
  return name.substr(0, at);
}

}  // namespace tauprof
