// The class of a host function, by its name.
#include "read/call_class.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

struct NamedCall {
  const char* name;
  CallClass call_class;
};

constexpr NamedCall kCalls[] = {
    {"cudaLaunchKernel", CallClass::kKernel},
    {"cudaLaunchKernel_ptsz", CallClass::kKernel},
    {"cudaLaunchKernelExC", CallClass::kKernel},
    {"cuLaunchKernelEx", CallClass::kKernel},
    {"cudaGraphLaunch", CallClass::kKernel},
    {"cudaLaunchHostFunc", CallClass::kHostFunction},
    {"cuLaunchHostFunc", CallClass::kHostFunction},
    {"cudaStreamAddCallback", CallClass::kHostFunction},
    {"cudaMemcpy", CallClass::kBlockingCopy},
    {"cuMemcpyDtoH_v2", CallClass::kBlockingCopy},
    {"cudaMemcpy_v3020", CallClass::kBlockingCopy},
    {"cudaMemcpyAsync", CallClass::kCopy},
    {"cuMemcpyHtoDAsync_v2", CallClass::kCopy},
    {"cudaMemcpyBatchAsync", CallClass::kCopy},
    {"cudaMemset", CallClass::kCopy},
    {"cudaMemsetAsync", CallClass::kCopy},
    {"cudaDeviceSynchronize", CallClass::kSync},
    {"cudaStreamSynchronize_ptsz", CallClass::kSync},
    {"cuEventSynchronize", CallClass::kSync},
    {"cudaStreamWaitEvent", CallClass::kStreamWait},
    {"cuStreamWaitEvent_ptsz", CallClass::kStreamWait},
    {"ncclGroupEnd", CallClass::kGroupEnd},
    {"ncclGroupStart", CallClass::kOther},
    {"cublasGemmEx", CallClass::kGemm},
    {"cublasSgemmStridedBatched", CallClass::kGemm},
    {"cublasLtMatmul", CallClass::kGemm},
    {"cublasSdot_v2", CallClass::kGemm},
    {"cublasStrsmBatched_64", CallClass::kGemm},
    {"cublasSetMatrixAsync", CallClass::kCopy},
    {"cublasGetVector", CallClass::kBlockingCopy},
    {"cublasSetStream_v2", CallClass::kOther},
    {"cublasLtMatmulAlgoGetHeuristic", CallClass::kOther},
    {"cublasCreate_v2", CallClass::kAllocation},
    {"cudnnBackendExecute", CallClass::kGemm},
    {"cudnnRNNBackwardData_v8", CallClass::kGemm},
    {"cudnnBackendFinalize", CallClass::kAllocation},
    {"cudnnSetTensorNdDescriptor", CallClass::kOther},
    {"cudaEventRecord", CallClass::kOther},
    {"cudaEventQuery", CallClass::kOther},
    {"cudaMalloc", CallClass::kAllocation},
    {"cudaFree", CallClass::kAllocation},
    {"cuMemAlloc_v2", CallClass::kAllocation},
    {"cuMemMap", CallClass::kAllocation},
    {"hipHostMalloc", CallClass::kAllocation},
    {"cudaHostRegister", CallClass::kAllocation},
    {"cudaMallocAsync_ptsz", CallClass::kAllocation},
    {"cudaEventCreateWithFlags", CallClass::kAllocation},
    {"cudaStreamDestroy", CallClass::kAllocation},
    {"cudaGraphInstantiateWithFlags", CallClass::kAllocation},
    {"cuModuleLoadData", CallClass::kAllocation},
    {"ncclCommInitRank", CallClass::kAllocation},
    {"cudaMemGetInfo", CallClass::kOther},
    {"cudaGraphAddKernelNode", CallClass::kOther},
    {"", CallClass::kOther},
};

class CallNames : public testing::TestWithParam<NamedCall> {};

TEST_P(CallNames, GiveTheClass) { EXPECT_EQ(call_class_of(GetParam().name), GetParam().call_class) << GetParam().name; }

INSTANTIATE_TEST_SUITE_P(Functions, CallNames, testing::ValuesIn(kCalls));

}  // namespace
}  // namespace tauprof
