// Declares exported functions for which cublas_api.h has an inline C++ overload, so that their names alone have no
// type. Their _64 twins have no overload, and the same arguments apart from the integers, so the type is derived from
// the twin. A cast checks that the header has a function of that type.
#pragma once

#include <cublas_api.h>
#include <stdint.h>

#include <type_traits>

namespace tauprof::hooks {

template <class T>
using Narrow = std::conditional_t<std::is_same_v<T, int64_t>, int, T>;

template <class Function>
struct Narrowed;
template <class Result, class... Parameters>
struct Narrowed<Result(Parameters...)> {
  using Type = Result(Narrow<Parameters>...);
};

}  // namespace tauprof::hooks

#define TAUPROF_EXPORTED_OVERLOAD(name)                                \
  tauprof::hooks::Narrowed<decltype(name##_64)>::Type name##_exported; \
  static_assert(static_cast<decltype(&name##_exported)>(&name) != nullptr);

TAUPROF_EXPORTED_OVERLOAD(cublasGemmEx)
TAUPROF_EXPORTED_OVERLOAD(cublasGemmBatchedEx)
TAUPROF_EXPORTED_OVERLOAD(cublasGemmStridedBatchedEx)
#undef TAUPROF_EXPORTED_OVERLOAD
