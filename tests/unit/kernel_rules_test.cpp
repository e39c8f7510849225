// The facts that the names of real kernels reveal.
#include "classify/kernel_rules.h"

#include <gtest/gtest.h>

#include "classify/optimizer_kernels.h"

namespace tauprof {

void PrintTo(KernelKind kind, std::ostream* out) {
  static constexpr const char* kNames[] = {"unknown", "compute", "communication", "fused", "suspect"};
  *out << kNames[static_cast<int>(kind)];
}

namespace {

using log::Operation;

struct NamedKernel {
  const char* name;
  KernelKind kind;
};

constexpr NamedKernel kKernels[] = {
    {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", KernelKind::kCommunication},
    {"ncclDevKernel_SendRecv(ncclDevComm*, unsigned long, ncclWork*)", KernelKind::kCommunication},
    {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)", KernelKind::kCommunication},
    {"ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclWorkElem)", KernelKind::kCommunication},
    {"ncclSymkDevKernel_AllGather_LL(ncclSymkDevWorkArgs4K)", KernelKind::kCommunication},
    {"void nvshmemi_transfer_put_kernel<float>(void*, void const*)", KernelKind::kCommunication},
    {"void deep_ep::intranode::dispatch<8, 768, 8192>(int4*, float*)", KernelKind::kCommunication},
    {"_ZN7deep_ep9internode7combineILb0EEEvPv", KernelKind::kCommunication},
    {"void dpsk::ep::dispatch<7168>(int4*)", KernelKind::kCommunication},
    {"_ZN4dpsk2ep7combineILi8EEEvPv", KernelKind::kCommunication},
    {"void quickreduce::allreduce_prototype_twoshot<half>(void const*)", KernelKind::kCommunication},
    {"void vllm::custom_all_reduce_kernel<float>(float*)", KernelKind::kCommunication},
    {"void vllm::cross_device_reduce_2stage<__half, 8>(vllm::RankData*)", KernelKind::kCommunication},
    {"void sglang::cross_device_reduce_1stage<__nv_bfloat16, 8>(sglang::RankData*)", KernelKind::kCommunication},
    {"_ZN4vllm26cross_device_reduce_2stageI6__halfLi8EEEvPNS_8RankDataE", KernelKind::kCommunication},
    {"void (anonymous namespace)::two_shot_all_reduce_kernel_inplace<c10::BFloat16, 16, 2>(c10::BFloat16**)",
     KernelKind::kCommunication},
    {"void c10d::symmetric_memory::(anonymous namespace)::one_shot_all_reduce_kernel<float, 16, 8>(float**)",
     KernelKind::kCommunication},
    {"void (anonymous namespace)::multimem_all_gather_kernel<16>(char*, char*)", KernelKind::kCommunication},
    {"_ZN12_GLOBAL__N_135multimem_one_shot_all_reduce_kernelIN3c108BFloat16ELi16EEEvPT_", KernelKind::kCommunication},
    {"void tensorrt_llm::kernels::oneShotAllReduceKernel<half, 8, false>(AllReduceParams)", KernelKind::kCommunication},
    {"void tensorrt_llm::kernels::moe_comm::moeA2ADispatchKernel<8, false>(int const*)", KernelKind::kCommunication},
    {"void kuserbuffers_pushsendrecv<float>(void*)", KernelKind::kCommunication},
    {"void userbuffers_fp16_sum_inplace_gpu_rr_rs_oop_fp8<8, __nv_fp8_e4m3>(int)", KernelKind::kCommunication},
    {"void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<(flashinfer::"
     "trtllm_allreduce_fusion::AllReduceFusionPattern)0, __nv_bfloat16, 8, false, false>()",
     KernelKind::kCommunication},
    {"_ZN12tensorrt_llm7kernels9ar_fusion32allreduce_fusion_kernel_twoshot_syncILNS1_22AllReduceFusionPatternE0E6__"
     "half",
     KernelKind::kCommunication},
    {"void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<(flashinfer::"
     "trtllm_allreduce_fusion::AllReduceFusionPattern)1, __nv_bfloat16, 8, false, false>()",
     KernelKind::kFused},
    {"_ZN12tensorrt_llm7kernels9ar_fusion39allreduce_fusion_kernel_oneshot_lamportILNS1_22AllReduceFusionPatternE3E",
     KernelKind::kFused},
    {"void tensorrt_llm::kernels::ar_fusion::moe::moereduction_allreduce_fusion_kernel_oneshot_lamport<half>()",
     KernelKind::kFused},
    {"void tensorrt_llm::kernels::reduce_fusion::lamport_style_one_shot_all_reduce_norm_kernel<8, half, 8>(Params)",
     KernelKind::kFused},
    {"void userbuffers_fp16_sum_inplace_gpu_mc_rmsnorm<8, half>(int)", KernelKind::kFused},
    {"gemm_one_shot_all_reduce_kernel", KernelKind::kFused},
    {"_helion_matmul_reduce_scatter_kernel", KernelKind::kFused},
    {"triton_red_fused_add_all_reduce_native_layer_norm_4", KernelKind::kCompute},
    {"triton_poi_fused__to_copy_all_gather_into_tensor_wait_tensor_0", KernelKind::kCompute},
    {"foo_all_reduce_bar", KernelKind::kSuspect},
    {"my_ReduceScatter_v7", KernelKind::kSuspect},
    {"void exchange_rdma_halo<float>(float*)", KernelKind::kSuspect},
    {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)",
     KernelKind::kCompute},
    {"ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_64x3_nn", KernelKind::kCompute},
    {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64", KernelKind::kCompute},
    {"void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 32, 4>>(Flash_fwd_params)", KernelKind::kCompute},
    {"triton_poi_fused_add_mul_0", KernelKind::kCompute},
    {"void my_own_kernel(float*)", KernelKind::kUnknown},
};

class KernelNames : public testing::TestWithParam<NamedKernel> {};

TEST_P(KernelNames, GiveTheKind) { EXPECT_EQ(kernel_kind_of(GetParam().name), GetParam().kind) << GetParam().name; }

INSTANTIATE_TEST_SUITE_P(Rules, KernelNames, testing::ValuesIn(kKernels));

TEST(KernelRules, ReadTheOperationFromTheName) {
  EXPECT_EQ(operation_of_kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
            Operation::kAllReduce);
  EXPECT_EQ(operation_of_kernel("ncclDevKernel_ReduceScatter_Sum_f32_RING_LL"), Operation::kReduceScatter);
  EXPECT_EQ(operation_of_kernel("ncclKernel_AllGather_RING_LL_Sum_int8_t"), Operation::kAllGather);
  EXPECT_EQ(operation_of_kernel("ncclDevKernel_SendRecv(ncclDevComm*, ncclWork*)"), Operation::kSendReceive);
  EXPECT_EQ(operation_of_kernel("nccl:all_to_all"), Operation::kAllToAll);
  EXPECT_EQ(operation_of_kernel("ncclDevKernel_Broadcast_RING_LL"), Operation::kBroadcast);
  EXPECT_EQ(operation_of_kernel("vllm::cross_device_reduce_1stage<float, 2>"), Operation::kAllReduce);
  EXPECT_EQ(operation_of_kernel("void deep_ep::intranode::dispatch"), Operation::kUnknown);
}

TEST(OptimizerKernels, AreToldApartFromOtherForeachKernels) {
  EXPECT_TRUE(
      is_optimizer_kernel("multi_tensor_apply_kernel<FusedOptimizerTensorListMetadata<4>, FusedAdamMathFunctor>"));
  EXPECT_FALSE(is_optimizer_kernel("multi_tensor_apply_kernel<TensorListMetadata<1>, UnaryOpFunctor<float, 1, 1, 0>>"));
  EXPECT_EQ(update_role("multi_tensor_apply_kernel<TensorListMetadata<1>, LpNormFunctor<float, 2>>"),
            UpdateRole::kClipping);
  EXPECT_EQ(update_role("void at::native::lpnorm_cleanup<float, 2>(float const*)"), UpdateRole::kClipping);
  EXPECT_EQ(update_role("void at::native::layer_norm_kernel<float>(float const*)"), UpdateRole::kNone);
}

}  // namespace
}  // namespace tauprof
