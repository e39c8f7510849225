// What a kernel's name alone tells. The rules stand in one table with their sources; they decide
// only where no call does, except that a communication rule may promote a plain launch.
#pragma once

#include <string_view>

#include "log/format.h"

namespace tauprof {

enum class KernelKind {
  kUnknown,        // nothing in the name says what it does
  kCompute,        // a family known to compute
  kCommunication,  // a family known to communicate
  kSuspect,        // speaks of communication, but belongs to no family that we know
};

KernelKind kernel_kind_of(std::string_view name);

// The collective that a communication kernel's name speaks of, kUnknown if none.
log::Operation operation_of_kernel(std::string_view name);

}  // namespace tauprof
