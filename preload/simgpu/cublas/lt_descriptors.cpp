// Creates, changes, reads and destroys cublasLt's opaque structs.
#include "simgpu/cublas/lt_descriptors.h"

#include <mutex>
#include <new>
#include <vector>

#include "simgpu/cublas/lt_attributes.h"
#include "simgpu/engine/call.h"

namespace simgpu {
namespace {

// Storage for one kind of struct. It is never freed, so that a stale pointer can always be inspected.
template <typename State, typename Opaque>
class DescriptorStore {
 public:
  Opaque* make(const State& initial) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) free_.push_back(new Opaque{});
    auto* opaque = free_.back();
    free_.pop_back();
    auto* state = new (opaque) State(initial);
    state->head = {State::kKind, sizeof(Opaque)};
    return opaque;
  }

  bool destroy(Opaque* opaque) {
    const std::lock_guard lock(mutex_);
    auto* state = state_of<State>(opaque);
    if (!state) return false;
    state->head.kind = 0;
    free_.push_back(opaque);
    return true;
  }

 private:
  std::mutex mutex_;
  std::vector<Opaque*> free_;
};

template <typename State, typename Opaque>
DescriptorStore<State, Opaque>& store() {
  static auto* the_store = new DescriptorStore<State, Opaque>;  // outlives the program's destructors
  return *the_store;
}

template <typename State, typename Opaque>
cublasStatus_t create(Opaque** out, const State& initial) {
  if (!out) return CUBLAS_STATUS_INVALID_VALUE;
  *out = store<State, Opaque>().make(initial);
  return CUBLAS_STATUS_SUCCESS;
}

template <typename State, typename Opaque>
cublasStatus_t destroy(Opaque* opaque) {
  if (!opaque) return CUBLAS_STATUS_SUCCESS;
  return store<State, Opaque>().destroy(opaque) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

// Initializes a struct of `bytes` in the caller's memory.
template <typename State>
cublasStatus_t initialize(void* opaque, std::size_t bytes, const State& initial) {
  if (!opaque) return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes < sizeof(DescriptorHead)) return CUBLAS_STATUS_ALLOC_FAILED;
  State state = initial;
  state.head = {State::kKind, static_cast<std::uint32_t>(bytes)};
  __builtin_memcpy(opaque, &state, bytes < sizeof(State) ? bytes : sizeof(State));
  return CUBLAS_STATUS_SUCCESS;
}

#define SIMGPU_ATTRIBUTE(State, id, member) \
  Attribute { id, offsetof(State, member), sizeof(State::member) }

constexpr Attribute kLayoutAttributes[] = {
    SIMGPU_ATTRIBUTE(MatrixLayout, CUBLASLT_MATRIX_LAYOUT_TYPE, type),
    SIMGPU_ATTRIBUTE(MatrixLayout, CUBLASLT_MATRIX_LAYOUT_ORDER, order),
    SIMGPU_ATTRIBUTE(MatrixLayout, CUBLASLT_MATRIX_LAYOUT_ROWS, rows),
    SIMGPU_ATTRIBUTE(MatrixLayout, CUBLASLT_MATRIX_LAYOUT_COLS, columns),
    SIMGPU_ATTRIBUTE(MatrixLayout, CUBLASLT_MATRIX_LAYOUT_LD, leading),
    SIMGPU_ATTRIBUTE(MatrixLayout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, batch),
    SIMGPU_ATTRIBUTE(MatrixLayout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride),
    SIMGPU_ATTRIBUTE(MatrixLayout, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, plane_offset),
    SIMGPU_ATTRIBUTE(MatrixLayout, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, batch_mode),
};

constexpr Attribute kMatmulAttributes[] = {
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, compute_type),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_SCALE_TYPE, scale_type),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_POINTER_MODE, pointer_mode),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_TRANSA, transpose_a),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_TRANSB, transpose_b),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_TRANSC, transpose_c),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_FILL_MODE, fill_mode),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, bias_batch_stride),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, auxiliary),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, auxiliary_leading),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, auxiliary_batch_stride),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, alpha_batch_stride),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, sm_count_target),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, a_scale),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, b_scale),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, c_scale),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, d_scale),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, d_maximum),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, auxiliary_type),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, auxiliary_scale),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, auxiliary_maximum),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_FAST_ACCUM, fast_accumulation),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, bias_type),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, a_scale_mode),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, b_scale_mode),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_C_SCALE_MODE, c_scale_mode),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_D_SCALE_MODE, d_scale_mode),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE, auxiliary_scale_mode),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, d_out_scale),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE, d_out_scale_mode),
    SIMGPU_ATTRIBUTE(MatmulDescriptor, CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR, emulation),
};

constexpr Attribute kTransformAttributes[] = {
    SIMGPU_ATTRIBUTE(TransformDescriptor, CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, scale_type),
    SIMGPU_ATTRIBUTE(TransformDescriptor, CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, pointer_mode),
    SIMGPU_ATTRIBUTE(TransformDescriptor, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, transpose_a),
    SIMGPU_ATTRIBUTE(TransformDescriptor, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, transpose_b),
};

constexpr Attribute kPreferenceAttributes[] = {
    SIMGPU_ATTRIBUTE(MatmulPreference, CUBLASLT_MATMUL_PREF_SEARCH_MODE, search_mode),
    SIMGPU_ATTRIBUTE(MatmulPreference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace_bytes),
    SIMGPU_ATTRIBUTE(MatmulPreference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, reduction_mask),
    SIMGPU_ATTRIBUTE(MatmulPreference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_a),
    SIMGPU_ATTRIBUTE(MatmulPreference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_b),
    SIMGPU_ATTRIBUTE(MatmulPreference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_c),
    SIMGPU_ATTRIBUTE(MatmulPreference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_d),
    SIMGPU_ATTRIBUTE(MatmulPreference, CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, most_waves),
    SIMGPU_ATTRIBUTE(MatmulPreference, CUBLASLT_MATMUL_PREF_IMPL_MASK, implementation_mask),
};

constexpr Attribute kEmulationAttributes[] = {
    SIMGPU_ATTRIBUTE(EmulationDescriptor, CUBLASLT_EMULATION_DESC_STRATEGY, strategy),
    SIMGPU_ATTRIBUTE(EmulationDescriptor, CUBLASLT_EMULATION_DESC_SPECIAL_VALUES_SUPPORT, special_values),
    SIMGPU_ATTRIBUTE(EmulationDescriptor, CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_CONTROL, mantissa_control),
    SIMGPU_ATTRIBUTE(EmulationDescriptor, CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT,
                     most_mantissa_bits),
    SIMGPU_ATTRIBUTE(EmulationDescriptor, CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_BIT_OFFSET, mantissa_bit_offset),
    SIMGPU_ATTRIBUTE(EmulationDescriptor, CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_BIT_COUNT_POINTER, mantissa_bits),
};

MatrixLayout initial_layout(cudaDataType_t type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
  MatrixLayout layout;
  layout.type = static_cast<std::uint32_t>(type);
  layout.rows = rows;
  layout.columns = columns;
  layout.leading = leading;
  return layout;
}

MatmulDescriptor initial_matmul(cublasComputeType_t compute, cudaDataType_t scale) {
  MatmulDescriptor descriptor;
  descriptor.compute_type = compute;
  descriptor.scale_type = scale;
  return descriptor;
}

TransformDescriptor initial_transform(cudaDataType_t scale) {
  TransformDescriptor descriptor;
  descriptor.scale_type = scale;
  return descriptor;
}

}  // namespace
}  // namespace simgpu

using namespace simgpu;

// The functions that every kind has, except its creation. They take no device time; they open calls only to count them.
#define SIMGPU_ATTRIBUTE_FUNCTIONS(prefix, Handle, AttributeId, State, table)                                      \
  SIMGPU_API cublasStatus_t prefix##SetAttribute(Handle handle, AttributeId id, const void* value, size_t bytes) { \
    static const ApiFunction function{#prefix "SetAttribute", ApiDomain::Library};                                 \
    ApiCall call(function);                                                                                        \
    auto* state = state_of<State>(handle);                                                                         \
    return call.leave(set_attribute(table, state, state ? state->head.bytes : 0, id, value, bytes));               \
  }                                                                                                                \
  SIMGPU_API cublasStatus_t prefix##GetAttribute(Handle handle, AttributeId id, void* value, size_t bytes,         \
                                                 size_t* written) {                                                \
    static const ApiFunction function{#prefix "GetAttribute", ApiDomain::Library};                                 \
    ApiCall call(function);                                                                                        \
    auto* state = state_of<State>(handle);                                                                         \
    return call.leave(get_attribute(table, state, state ? state->head.bytes : 0, id, value, bytes, written));      \
  }                                                                                                                \
  SIMGPU_API cublasStatus_t prefix##Destroy(Handle handle) {                                                       \
    static const ApiFunction function{#prefix "Destroy", ApiDomain::Library};                                      \
    ApiCall call(function);                                                                                        \
    return call.leave(destroy<State>(handle));                                                                     \
  }

SIMGPU_ATTRIBUTE_FUNCTIONS(cublasLtMatrixLayout, cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t, MatrixLayout,
                           kLayoutAttributes)
SIMGPU_ATTRIBUTE_FUNCTIONS(cublasLtMatmulDesc, cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, MatmulDescriptor,
                           kMatmulAttributes)
SIMGPU_ATTRIBUTE_FUNCTIONS(cublasLtMatrixTransformDesc, cublasLtMatrixTransformDesc_t,
                           cublasLtMatrixTransformDescAttributes_t, TransformDescriptor, kTransformAttributes)
SIMGPU_ATTRIBUTE_FUNCTIONS(cublasLtMatmulPreference, cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
                           MatmulPreference, kPreferenceAttributes)
SIMGPU_ATTRIBUTE_FUNCTIONS(cublasLtEmulationDesc, cublasLtEmulationDesc_t, cublasLtEmulationDescAttributes_t,
                           EmulationDescriptor, kEmulationAttributes)

SIMGPU_API cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t size,
                                                            cudaDataType type, uint64_t rows, uint64_t cols,
                                                            int64_t ld) {
  return initialize(layout, size, initial_layout(type, rows, cols, ld));
}

SIMGPU_API cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows,
                                                     uint64_t cols, int64_t ld) {
  static const ApiFunction function{"cublasLtMatrixLayoutCreate", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(create(layout, initial_layout(type, rows, cols, ld)));
}

SIMGPU_API cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t descriptor, size_t size,
                                                          cublasComputeType_t compute, cudaDataType_t scale) {
  return initialize(descriptor, size, initial_matmul(compute, scale));
}

SIMGPU_API cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* descriptor, cublasComputeType_t compute,
                                                   cudaDataType_t scale) {
  static const ApiFunction function{"cublasLtMatmulDescCreate", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(create(descriptor, initial_matmul(compute, scale)));
}

SIMGPU_API cublasStatus_t cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t descriptor,
                                                                   size_t size, cudaDataType scale) {
  return initialize(descriptor, size, initial_transform(scale));
}

SIMGPU_API cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* descriptor,
                                                            cudaDataType scale) {
  static const ApiFunction function{"cublasLtMatrixTransformDescCreate", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(create(descriptor, initial_transform(scale)));
}

SIMGPU_API cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference, size_t size) {
  return initialize(preference, size, MatmulPreference{});
}

SIMGPU_API cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  static const ApiFunction function{"cublasLtMatmulPreferenceCreate", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(create(preference, MatmulPreference{}));
}

SIMGPU_API cublasStatus_t cublasLtEmulationDescInit_internal(cublasLtEmulationDesc_t descriptor, size_t size) {
  return initialize(descriptor, size, EmulationDescriptor{});
}

SIMGPU_API cublasStatus_t cublasLtEmulationDescCreate(cublasLtEmulationDesc_t* descriptor) {
  static const ApiFunction function{"cublasLtEmulationDescCreate", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(create(descriptor, EmulationDescriptor{}));
}
