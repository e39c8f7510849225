// Shorter rows for cuBLAS, whose functions come in families: the names of a family differ only in the letter of the
// type (S, D, C, Z), and nearly every function has a twin for 64-bit sizes (macros ending in _32: it has none).
#pragma once

#define TAUPROF_BLAS_32(name) TAUPROF_HOOK(name, name, BlasCall)
#define TAUPROF_BLAS(name) TAUPROF_HOOK(name, name, BlasCall) TAUPROF_HOOK(name##_64, name##_64, BlasCall)
#define TAUPROF_BLAS_COPY(name, ...) \
  TAUPROF_HOOK(name, name, __VA_ARGS__) TAUPROF_HOOK(name##_64, name##_64, __VA_ARGS__)
#define TAUPROF_BLAS_SD(name) TAUPROF_BLAS(cublasS##name) TAUPROF_BLAS(cublasD##name)
#define TAUPROF_BLAS_CZ(name) TAUPROF_BLAS(cublasC##name) TAUPROF_BLAS(cublasZ##name)
#define TAUPROF_BLAS_SDCZ(name) TAUPROF_BLAS_SD(name) TAUPROF_BLAS_CZ(name)
#define TAUPROF_BLAS_SD_32(name) TAUPROF_BLAS_32(cublasS##name) TAUPROF_BLAS_32(cublasD##name)
#define TAUPROF_BLAS_SDCZ_32(name) \
  TAUPROF_BLAS_SD_32(name) TAUPROF_BLAS_32(cublasC##name) TAUPROF_BLAS_32(cublasZ##name)
