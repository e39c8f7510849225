// The real function of a hook is looked up, as a last resort, in the loaded library that has it.
#include <gtest/gtest.h>

#include <string>

#include "hooks/hook_number.h"

namespace tauprof::hooks {
namespace {

std::string stem_of(int hook) { return library_stem(static_cast<HookNumber>(hook)); }

TEST(LibraryStem, NamesTheLibraryThatHasTheFunction) {
  EXPECT_EQ(stem_of(kHook_cudaLaunchKernel), "libcudart.so");
  EXPECT_EQ(stem_of(kHook_cublasSgemm_v2), "libcublas.so");
  EXPECT_EQ(stem_of(kHook_cublasSgemm), "libcublas.so");
  EXPECT_EQ(stem_of(kHook_cublasLtMatmul), "libcublasLt.so");
  EXPECT_EQ(stem_of(kHook_ncclGetUniqueId), "libnccl.so");
  EXPECT_EQ(stem_of(kHook_pncclRecv), "libnccl.so");
  EXPECT_EQ(stem_of(kHook_cuptiSubscribe), "libcupti.so");
  EXPECT_EQ(stem_of(kHook_cudnnCTCLoss_v8), "libcudnn.so");
}

TEST(LibraryStem, ChangesAtTheFirstHookOfEachLibrary) {
  EXPECT_EQ(stem_of(0), "libcudart.so");
  EXPECT_EQ(stem_of(kFirstCublasHook - 1), "libcudart.so");
  EXPECT_EQ(stem_of(kFirstCublasLtHook - 1), "libcublas.so");
  EXPECT_EQ(stem_of(kFirstNcclHook - 1), "libcublasLt.so");
  EXPECT_EQ(stem_of(kFirstCuptiHook - 1), "libnccl.so");
  EXPECT_EQ(stem_of(kFirstCudnnHook - 1), "libcupti.so");
  EXPECT_EQ(stem_of(kHooks - 1), "libcudnn.so");
}

}  // namespace
}  // namespace tauprof::hooks
