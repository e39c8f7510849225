// See checks.h.
#include "checks.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace training {
namespace {

int failing_rank = 0;

const char* file_of(const std::source_location& where) {
  const char* slash = std::strrchr(where.file_name(), '/');
  return slash != nullptr ? slash + 1 : where.file_name();
}

}  // namespace

void name_rank(int rank) { failing_rank = rank; }

void fail(std::string_view what, std::source_location where) {
  std::fprintf(stderr, "training: rank %d: %.*s (%s:%u)\n", failing_rank, static_cast<int>(what.size()), what.data(),
               file_of(where), where.line());
  std::exit(1);
}

void check(cudaError_t result, std::string_view call, std::source_location where) {
  if (result != cudaSuccess) fail(std::string(call) + ": " + cudaGetErrorString(result), where);
}

void check(cublasStatus_t result, std::string_view call, std::source_location where) {
  if (result != CUBLAS_STATUS_SUCCESS) fail(std::string(call) + ": " + cublasGetStatusString(result), where);
}

void check(ncclResult_t result, std::string_view call, std::source_location where) {
  if (result == ncclSuccess) return;
  const char* detail = ncclGetLastError(nullptr);
  fail(std::string(call) + ": " + ncclGetErrorString(result) + (detail != nullptr && *detail != 0 ? ": " : "") +
           (detail != nullptr ? detail : ""),
       where);
}

}  // namespace training
