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

}  // namespace tauprof
