// References to the arguments of a call, by number: what std::tie gives, for three quarters of the compile time and
// half of the compiler's memory. Hundreds of hooks have hundreds of signatures. A std::tuple of a dozen types
// instantiates dozens of templates for each; the slots below are shared (argument 3 as a `const float*` is one type for
// all).
#pragma once

#include <utility>

namespace tauprof::hooks {

template <int kNumber, class T>
struct ArgumentSlot {
  T& value;
};

template <class Numbers, class... Parameters>
struct NumberedArguments;
template <int... kNumbers, class... Parameters>
struct NumberedArguments<std::integer_sequence<int, kNumbers...>, Parameters...>
    : ArgumentSlot<kNumbers, Parameters>... {};

// Initialised with the parameters: ArgumentList<int, char> arguments{{number}, {letter}};
template <class... Parameters>
using ArgumentList = NumberedArguments<std::make_integer_sequence<int, sizeof...(Parameters)>, Parameters...>;

// Argument `kNumber`, counted from 0.
template <int kNumber, class T>
[[gnu::always_inline]] inline T& argument(const ArgumentSlot<kNumber, T>& slot) {
  return slot.value;
}

}  // namespace tauprof::hooks
