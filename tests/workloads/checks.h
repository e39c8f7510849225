// An error of a library ends the rank with one line on stderr and exit status 1.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <nccl.h>

#include <source_location>
#include <string_view>

namespace training {

void name_rank(int rank);  // for messages

[[noreturn]] void fail(std::string_view what, std::source_location where = std::source_location::current());

void check(cudaError_t result, std::string_view call, std::source_location where = std::source_location::current());
void check(cublasStatus_t result, std::string_view call, std::source_location where = std::source_location::current());
void check(ncclResult_t result, std::string_view call, std::source_location where = std::source_location::current());

}  // namespace training
