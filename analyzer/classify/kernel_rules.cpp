#include "classify/kernel_rules.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "model/letter_pairs.h"
#include "model/lower_case.h"
#include "model/operation_words.h"

namespace tauprof {
namespace {

using std::string_view;

// All lists hold words in lower case that may stand anywhere in a name, also in a mangled one.

// The device code of NCCL and RCCL; the kernels of NVSHMEM, DeepEP (also as dpsk::ep) and pplx; PyTorch's symmetric
// memory, and whatever uses multicast memory; the custom all-reduces of vLLM (cross_device_reduce, quickreduce),
// TensorRT-LLM and FlashInfer (Lamport's protocol, moeA2ADispatchKernel); TransformerEngine's userbuffers; MSCCL(++);
// Huawei's HCCL.
constexpr string_view kCommunicationFamilies[] = {
    "nccldevkernel",
    "ncclkernel",
    "ncclsymk",
    "ncclsymdevkernel",
    "rccl_",
    "mscclkernel",
    "mscclpp",
    "hccl",
    "nvshmem",
    "deep_ep",
    "deepep",
    "dpsk::ep",
    "4dpsk2ep",
    "pplx::",
    "cross_device_reduce",
    "quickreduce",
    "custom_all_reduce",
    "customallreduce",
    "multimem_",
    "symm_mem",
    "put_signal_kernel",
    "wait_signal_kernel",
    "one_shot_reduce",
    "one_shot_all_reduce",
    "two_shot_all_reduce",
    "oneshotallreduce",
    "twoshotallreduce",
    "oneshot_allreduce",
    "twoshot_allreduce",
    "allreduce_fusion_kernel",
    "trtllm_allreduce",
    "allreducefusionker",
    "lamport",
    "moea2a",
    "moealltoall",
    "userbuffers_",
};

// Words of communication. Alone they prove nothing, but a kernel with one must not silently count as computation.
// Unlike the words of model/operation_words.h, these do not include "reduce", "gather", "scatter" and the like, which
// also name computations.
constexpr string_view kCommunicationWords[] = {
    "allreduce",  "all_reduce", "allgather", "all_gather", "reducescatter", "reduce_scatter", "alltoall",
    "all_to_all", "all2all",    "sendrecv",  "send_recv",  "multimem",      "userbuffer",     "nccl",
    "rccl",       "msccl",      "nvls",      "internode",  "intranode",     "ibgda",          "rdma",
    "p2p_",       "_p2p",       "peer_copy", "cross_rank", "barrier_all",   "barrier_kernel",
};

// Kernels that carry out a collective and compute in one, beside those whose names have a word of each of the next two
// lists ("one_shot_all_reduce_norm_kernel", "userbuffers_fp16_sum_inplace_gpu_mc_rmsnorm"): DeepGEMM's expert layer,
// CUTLASS' distributed multiplication.
constexpr string_view kFusedFamilies[] = {"mega_moe", "distributedgemm"};

constexpr string_view kCollectives[] = {"allreduce",      "all_reduce", "allgather",  "all_gather", "reducescatter",
                                        "reduce_scatter", "alltoall",   "all_to_all", "all2all"};

constexpr string_view kComputations[] = {"gemm", "matmul", "norm", "softmax", "fusion_kernel", "fusionkernel"};

// TensorRT-LLM's and FlashInfer's fused all-reduces with nothing fused to them, as written and as mangled.
constexpr string_view kNothingFused[] = {"allreducefusionpattern)0", "allreducefusionpatterne0e"};

// Inductor names a kernel after the operators in it, and after those whose results it takes:
// "triton_poi_fused_add_all_reduce_0" adds. What communicates is never fused into it.
constexpr string_view kInductorKernels[] = {"triton_poi_fused", "triton_red_fused", "triton_per_fused",
                                            "triton_tem_fused", "triton_for_fused"};

// Families that only compute: PyTorch, cuBLAS, cuDNN, CUTLASS, CUB/Thrust, Triton, FlashAttention, apex,
// TransformerEngine, fbgemm, JAX/XLA fusions. Needed only for kernels whose launch is not known. Which of them belong
// to an optimizer is another question: see classify/update_kernels.def.
constexpr string_view kComputeFamilies[] = {
    "at::native",
    "at_cuda_detail",
    "2at6native",
    "gemm",
    "gemv",
    "cutlass",
    "cublas",
    "cudnn",
    "cub::",
    "3cub",
    "thrust",
    "triton",
    "flash",
    "fmha",
    "elementwise",
    "splitkreduce",
    "softmax",
    "layer_norm",
    "layernorm",
    "rmsnorm",
    "embedding",
    "fbgemm",
    "xmma",
    "conv",
    "winograd",
    "multi_tensor_apply",
    "adam",
    "dropout",
    "transformer_engine",
    "batch_norm",
    "bn_fw",
    "bn_bw",
    "wgrad",
    "dgrad",
    "fprop",
    "dot_kernel",
    "index_kernel",
    "indexing_",
    "sort",
    "fusion",
    "nvjet",
    "cask",
    "reduce_1block",
    "fft",
};

class Words {
 public:
  explicit Words(string_view text) : text_(text), pairs_(text) {}

  template <size_t kCount>
  bool contain_any(const string_view (&words)[kCount]) const {
    return std::any_of(words, words + kCount,
                       [&](string_view word) { return pairs_.may_have(word) && text_.find(word) != text_.npos; });
  }

 private:
  string_view text_;
  LetterPairs pairs_;
};

bool computes_as_well(string_view text, const Words& all) {
  if (all.contain_any(kFusedFamilies)) return true;
  const Words function(function_in(text));
  return (function.contain_any(kCollectives) || function.contain_any(kCommunicationFamilies)) &&
         function.contain_any(kComputations) && !all.contain_any(kNothingFused);
}

}  // namespace

KernelKind kernel_kind_of(string_view name) {
  const std::string text = lower_case(name);
  if (std::any_of(std::begin(kInductorKernels), std::end(kInductorKernels),
                  [&](string_view start) { return text.starts_with(start); }))
    return KernelKind::kCompute;
  const Words words(text);
  if (computes_as_well(text, words)) return KernelKind::kFused;
  if (words.contain_any(kCommunicationFamilies)) return KernelKind::kCommunication;
  if (words.contain_any(kCommunicationWords)) return KernelKind::kSuspect;
  if (words.contain_any(kComputeFamilies)) return KernelKind::kCompute;
  return KernelKind::kUnknown;
}

log::Operation operation_of_kernel(string_view name) {
  // The operation stands before the argument list; types in it ("ncclWork") must not count.
  return operation_in_name(lower_case(name.substr(0, name.find('('))), NameSource::kKernel);
}

}  // namespace tauprof
