// The contents of cublasLt's opaque structs.
//
// A program may keep them on its stack (the Init functions of cublasLt.h), so the state lives in the struct itself and
// starts with a word that names its kind. Created structs come from storage that is reused but never returned: a struct
// that is used after its destruction lacks the word and is detected.
//
// Newer attributes come after older ones. A program that was compiled with a smaller struct cannot set those that do
// not fit: they count as unknown.
#pragma once

#include <cublasLt.h>

#include <cstddef>
#include <cstdint>

namespace simgpu {

struct DescriptorHead {
  std::uint32_t kind = 0;
  std::uint32_t bytes = 0;  // the size of the struct, as its owner knows it
};

struct MatrixLayout {
  static constexpr std::uint32_t kKind = 0x4c41594f;
  DescriptorHead head;
  std::uint32_t type = CUDA_R_32F;
  std::int32_t order = CUBLASLT_ORDER_COL;
  std::uint64_t rows = 0, columns = 0;
  std::int64_t leading = 0;
  std::int32_t batch = 1;
  std::uint32_t batch_mode = CUBLASLT_BATCH_MODE_STRIDED;
  std::int64_t stride = 0;
  std::int64_t plane_offset = 0;
};

struct MatmulDescriptor {
  static constexpr std::uint32_t kKind = 0x4d4d4445;
  DescriptorHead head;
  std::int32_t compute_type = CUBLAS_COMPUTE_32F;
  std::int32_t scale_type = CUDA_R_32F;
  std::int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t transpose_a = CUBLAS_OP_N, transpose_b = CUBLAS_OP_N, transpose_c = CUBLAS_OP_N;
  std::int32_t fill_mode = CUBLAS_FILL_MODE_FULL;
  std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
  std::int64_t bias_batch_stride = 0;
  void* auxiliary = nullptr;
  std::int64_t auxiliary_leading = 0, auxiliary_batch_stride = 0, alpha_batch_stride = 0;
  const void* a_scale = nullptr;
  const void* b_scale = nullptr;
  const void* c_scale = nullptr;
  const void* d_scale = nullptr;
  void* d_maximum = nullptr;
  const void* auxiliary_scale = nullptr;
  void* auxiliary_maximum = nullptr;
  std::int32_t sm_count_target = 0;
  std::int32_t auxiliary_type = -1, bias_type = -1;
  std::int8_t fast_accumulation = 0;
  std::int32_t a_scale_mode = 0, b_scale_mode = 0, c_scale_mode = 0, d_scale_mode = 0;
  std::int32_t auxiliary_scale_mode = 0, d_out_scale_mode = 0;
  void* d_out_scale = nullptr;
  void* emulation = nullptr;
};

struct TransformDescriptor {
  static constexpr std::uint32_t kKind = 0x54524445;
  DescriptorHead head;
  std::int32_t scale_type = CUDA_R_32F;
  std::int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t transpose_a = CUBLAS_OP_N, transpose_b = CUBLAS_OP_N;
};

struct MatmulPreference {
  static constexpr std::uint32_t kKind = 0x50524546;
  DescriptorHead head;
  std::uint32_t search_mode = CUBLASLT_SEARCH_BEST_FIT;
  std::uint32_t reduction_mask = CUBLASLT_REDUCTION_SCHEME_MASK;
  std::uint64_t workspace_bytes = 0;
  std::uint32_t alignment_a = 256, alignment_b = 256, alignment_c = 256, alignment_d = 256;
  float most_waves = 0;
  std::uint64_t implementation_mask = ~0ull;
};

struct EmulationDescriptor {
  static constexpr std::uint32_t kKind = 0x454d5544;
  DescriptorHead head;
  std::int32_t strategy = 0, special_values = 0, mantissa_control = 0, most_mantissa_bits = 0, mantissa_bit_offset = 0;
  void* mantissa_bits = nullptr;
};

static_assert(sizeof(MatrixLayout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(MatmulDescriptor) <= sizeof(cublasLtMatmulDescOpaque_t));
static_assert(sizeof(TransformDescriptor) <= sizeof(cublasLtMatrixTransformDescOpaque_t));
static_assert(sizeof(MatmulPreference) <= sizeof(cublasLtMatmulPreferenceOpaque_t));
static_assert(sizeof(EmulationDescriptor) <= sizeof(cublasLtEmulationDescOpaque_t));

// Null if the struct is not of this kind, or was destroyed.
template <typename State>
State* state_of(const void* opaque) {
  auto* state = static_cast<State*>(const_cast<void*>(opaque));
  return state && state->head.kind == State::kKind ? state : nullptr;
}

}  // namespace simgpu
