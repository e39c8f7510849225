// What a matrix element is, and which units of the device multiply it.
#pragma once

#include <cublas_api.h>

#include "simgpu/engine/device.h"

namespace simgpu {

// 0: no type that cuBLAS multiplies.
int element_bytes(cudaDataType_t type);
bool is_complex(cudaDataType_t type);
bool is_fp8(cudaDataType_t type);

// The letter that NVIDIA's kernel names have for the type: h, t (bf16), s, d, q (fp8), b (int8), c, z.
char type_letter(cudaDataType_t type);

// Which peak rate of the device a multiplication of `input` elements may use.
MathType math_type(cudaDataType_t input, cublasComputeType_t compute);

// The type that is computed in when a program names only the type of its matrices.
cublasComputeType_t natural_compute(cudaDataType_t type, cublasMath_t mode);

// The type of α and β that goes with a computation on elements of `output`.
cudaDataType_t scale_type(cublasComputeType_t compute, cudaDataType_t output);

// Whether cublasGemmEx documents this combination; A and B may differ only where both are fp8.
bool is_supported(cublasComputeType_t compute, cudaDataType_t a, cudaDataType_t b, cudaDataType_t c);

}  // namespace simgpu
