#include "classify/matrix_kernels.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "classify/kernel_rules.h"
#include "model/lower_case.h"

namespace tauprof {
namespace {

using std::string_view;

// Words in lower case that may stand anywhere in a name, also in a mangled one.

// FlashAttention, cuDNN's and xFormers' fused attention, Triton kernels.
constexpr string_view kAttention[] = {"flash_fwd", "flash_bwd", "flashattn",   "flash_attn", "fmha",
                                      "attention", "_attn",     "attn_kernel", "sdpa",       "mha_fwd"};
// cuDNN's convolutions and PyTorch's own. "conv" alone also begins "convert".
constexpr string_view kConvolution[] = {"convolve",    "conv1d", "conv2d",  "conv3d", "conv_depthwise",
                                        "convolution", "fprop",  "dgrad",   "wgrad",  "implicit_gemm",
                                        "winograd",    "scudnn", "cudnn_c", "dconv",  "convdepth"};
// Parts of FlashAttention around its products: they prepare gradients, convert them, and combine parts of the keys.
constexpr string_view kNoAttention[] = {"flash_bwd_dot_do_o", "flash_bwd_convert", "flash_bwd_clear",
                                        "splitkv_combine"};
// cuBLAS, CUTLASS, Triton's and Inductor's templates, and cuDNN's kernels that keep a recurrent layer's weights and
// multiply by them step after step; but not fbgemm_gpu, which has tables of embeddings.
constexpr string_view kProduct[] = {"gemm",       "cutlass",     "nvjet",           "xmma", "matmul", "triton_tem",
                                    "_mm_kernel", "rnn_persist", "rnn_blockpersist"};

// "sm80_xmma_gemm_f32f32_tf32f32_f32_…", "cutlass_80_tensorop_s1688gemm_…"; nvjet only drives tensor cores, which know
// float32 as TF32.
constexpr string_view kTf32[] = {"tf32", "s1688gemm", "nvjet"};

template <class Words>
bool has_word_of(string_view text, const Words& words) {
  return std::any_of(std::begin(words), std::end(words),
                     [&](string_view word) { return text.find(word) != text.npos; });
}

}  // namespace

MatrixKernel matrix_kernel_of(string_view name) {
  std::string text = lower_case(function_in(name));
  constexpr string_view kNoGemm = "fbgemm";
  for (size_t at = 0; (at = text.find(kNoGemm, at)) != text.npos;) text.erase(at, kNoGemm.size());
  if (has_word_of(text, kNoAttention)) return MatrixKernel::kNone;
  if (has_word_of(text, kAttention)) return MatrixKernel::kAttention;
  if (has_word_of(text, kConvolution)) return MatrixKernel::kConvolution;
  if (has_word_of(text, kProduct)) return MatrixKernel::kProduct;
  return MatrixKernel::kNone;
}

bool computes_in_tf32(string_view name) { return has_word_of(lower_case(name), kTf32); }

}  // namespace tauprof
