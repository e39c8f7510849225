#include "classify/kernel_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace tauprof {
namespace {

using std::string_view;

// Matched against the lower-case name, anywhere in it (mangled names carry them too).
// NCCL and RCCL device code; NVSHMEM's and DeepEP's kernels; PyTorch's symmetric memory; the custom
// all-reduce of vLLM (cross_device_reduce), TensorRT-LLM and FlashInfer; TransformerEngine's
// userbuffers; MSCCL(++); Huawei's HCCL.
constexpr std::array kCommunicationFamilies = {
    string_view("nccldevkernel"),
    string_view("ncclkernel"),
    string_view("ncclsymk"),
    string_view("ncclsymdevkernel"),
    string_view("rccl_"),
    string_view("mscclkernel"),
    string_view("mscclpp"),
    string_view("hccl"),
    string_view("nvshmem"),
    string_view("deep_ep"),
    string_view("deepep"),
    string_view("cross_device_reduce"),
    string_view("multimem_all_reduce"),
    string_view("multimem_one_shot"),
    string_view("one_shot_all_reduce"),
    string_view("two_shot_all_reduce"),
    string_view("oneshotallreduce"),
    string_view("twoshotallreduce"),
    string_view("one_shot_reduce"),
    string_view("allreduce_fusion_kernel"),
    string_view("trtllm_allreduce"),
    string_view("userbuffers_fp16"),
    string_view("userbuffers_rs"),
    string_view("userbuffers_ag"),
    string_view("kuserbuffers"),
    string_view("symm_mem"),
};

// Words of communication: alone they prove nothing, and yet such a kernel must not silently count
// as computation.
constexpr std::array kCommunicationWords = {
    string_view("allreduce"),     string_view("all_reduce"),     string_view("allgather"), string_view("all_gather"),
    string_view("reducescatter"), string_view("reduce_scatter"), string_view("alltoall"),  string_view("all_to_all"),
    string_view("all2all"),       string_view("sendrecv"),       string_view("send_recv"), string_view("multimem"),
    string_view("userbuffer"),    string_view("nccl"),           string_view("rccl"),      string_view("msccl"),
    string_view("nvls"),          string_view("internode"),      string_view("intranode"), string_view("ibgda"),
    string_view("rdma"),          string_view("p2p_"),           string_view("_p2p"),      string_view("peer_copy"),
    string_view("cross_rank"),    string_view("barrier_all"),
};

// Families that only compute: PyTorch, cuBLAS, cuDNN, CUTLASS, CUB/Thrust, Triton, FlashAttention,
// apex, TransformerEngine, fbgemm, JAX/XLA fusions. Needed only for kernels without a known launch.
constexpr std::array kComputeFamilies = {
    string_view("at::native"),
    string_view("at_cuda_detail"),
    string_view("2at6native"),
    string_view("gemm"),
    string_view("gemv"),
    string_view("cutlass"),
    string_view("cublas"),
    string_view("cudnn"),
    string_view("cub::"),
    string_view("3cub"),
    string_view("thrust"),
    string_view("triton"),
    string_view("flash"),
    string_view("fmha"),
    string_view("elementwise"),
    string_view("splitkreduce"),
    string_view("softmax"),
    string_view("layer_norm"),
    string_view("layernorm"),
    string_view("rmsnorm"),
    string_view("embedding"),
    string_view("fbgemm"),
    string_view("xmma"),
    string_view("conv"),
    string_view("winograd"),
    string_view("multi_tensor_apply"),
    string_view("adam"),
    string_view("dropout"),
    string_view("transformer_engine"),
    string_view("batch_norm"),
    string_view("bn_fw"),
    string_view("bn_bw"),
    string_view("wgrad"),
    string_view("dgrad"),
    string_view("fprop"),
    string_view("dot_kernel"),
    string_view("index_kernel"),
    string_view("indexing_"),
    string_view("sort"),
    string_view("fusion"),
    string_view("nvjet"),
    string_view("cask"),
    string_view("reduce_1block"),
    string_view("fft"),
};

template <class Rules>
bool contains_any(string_view text, const Rules& rules) {
  return std::any_of(rules.begin(), rules.end(), [&](string_view rule) { return text.find(rule) != text.npos; });
}

std::string lower(string_view name) {
  std::string text(name);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

KernelKind kernel_kind_of(string_view name) {
  const std::string text = lower(name);
  if (contains_any(text, kCommunicationFamilies)) return KernelKind::kCommunication;
  if (contains_any(text, kCommunicationWords)) return KernelKind::kSuspect;
  if (contains_any(text, kComputeFamilies)) return KernelKind::kCompute;
  return KernelKind::kUnknown;
}

log::Operation operation_of_kernel(string_view name) {
  using log::Operation;
  struct Word {
    string_view text;
    Operation operation;
  };
  static constexpr std::array kWords = {
      Word{"reducescatter", Operation::kReduceScatter},
      Word{"reduce_scatter", Operation::kReduceScatter},
      Word{"allreduce", Operation::kAllReduce},
      Word{"all_reduce", Operation::kAllReduce},
      Word{"allgather", Operation::kAllGather},
      Word{"all_gather", Operation::kAllGather},
      Word{"alltoall", Operation::kAllToAll},
      Word{"all_to_all", Operation::kAllToAll},
      Word{"all2all", Operation::kAllToAll},
      Word{"sendrecv", Operation::kSendReceive},
      Word{"send_recv", Operation::kSendReceive},
      Word{"cross_device_reduce", Operation::kAllReduce},
      Word{"broadcast", Operation::kBroadcast},
      Word{"barrier", Operation::kBarrier},
      Word{"gather", Operation::kGather},
      Word{"scatter", Operation::kScatter},
      Word{"reduce", Operation::kReduce},
  };
  // The operation stands before the argument list; types in it ("ncclWork") must not count.
  const std::string text = lower(name.substr(0, name.find('(')));
  for (const Word& word : kWords)
    if (text.find(word.text) != text.npos) return word.operation;
  return Operation::kUnknown;
}

}  // namespace tauprof
