// The types of matrix elements, and which units of the device multiply them.
#pragma once

#include <cublas_api.h>

#include "simgpu/engine/device.h"

namespace simgpu {

// 0 if cuBLAS does not multiply the type.
int element_bytes(cudaDataType_t type);
bool is_complex(cudaDataType_t type);
bool is_fp8(cudaDataType_t type);

// The type's letter in the names of NVIDIA's kernels: h, t (bf16), s, d, q (fp8), b (int8), c, z.
char type_letter(cudaDataType_t type);

// The peak rate of the device that applies to multiplying `input` elements.
MathType math_type(cudaDataType_t input, cublasComputeType_t compute);

// The type to compute in when a program gives only the type of its matrices.
cublasComputeType_t natural_compute(cudaDataType_t type, cublasMath_t mode);

// The type of α and β for a computation with `output` elements.
cudaDataType_t scale_type(cublasComputeType_t compute, cudaDataType_t output);

// Whether cublasGemmEx documents this combination; A and B may differ only where both are fp8.
bool is_supported(cublasComputeType_t compute, cudaDataType_t a, cudaDataType_t b, cudaDataType_t c);

}  // namespace simgpu
