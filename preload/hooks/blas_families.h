// Shorter rows for cuBLAS, whose functions come in families: S, D, C and Z are the types of one whose names differ in
// that letter alone, and nearly each function has a twin for 64-bit sizes (_32: it has none).
#pragma once

#define TAUPROF_BLAS_32(name) TAUPROF_HOOK(name, name, BlasCall)
#define TAUPROF_BLAS(name) TAUPROF_HOOK(name, name, BlasCall) TAUPROF_HOOK(name##_64, name##_64, BlasCall)
#define TAUPROF_BLAS_COPY(name, ...) \
  TAUPROF_HOOK(name, name, __VA_ARGS__) TAUPROF_HOOK(name##_64, name##_64, __VA_ARGS__)
#define TAUPROF_BLAS_SD(rest) TAUPROF_BLAS(cublasS##rest) TAUPROF_BLAS(cublasD##rest)
#define TAUPROF_BLAS_CZ(rest) TAUPROF_BLAS(cublasC##rest) TAUPROF_BLAS(cublasZ##rest)
#define TAUPROF_BLAS_SDCZ(rest) TAUPROF_BLAS_SD(rest) TAUPROF_BLAS_CZ(rest)
#define TAUPROF_BLAS_SD_32(rest) TAUPROF_BLAS_32(cublasS##rest) TAUPROF_BLAS_32(cublasD##rest)
#define TAUPROF_BLAS_SDCZ_32(rest) \
  TAUPROF_BLAS_SD_32(rest) TAUPROF_BLAS_32(cublasC##rest) TAUPROF_BLAS_32(cublasZ##rest)
