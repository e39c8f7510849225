// Functions of the CUDA runtime that only code compiled by nvcc calls. NVIDIA's headers declare them for nvcc alone;
// these are the declarations in crt/host_runtime.h and crt/device_functions.h. And functions of CUDA 13.2 and 13.5, for
// older headers.
#pragma once

#include <cuda_runtime_api.h>

extern "C" {
void __cudaRegisterFunction(void** fatCubinHandle, const char* hostFun, char* deviceFun, const char* deviceName,
                            int thread_limit, uint3* tid, uint3* bid, dim3* bDim, dim3* gDim, int* wSize);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* entryFuncAddr);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem,
                               cudaStream_t stream);
#if CUDART_VERSION < 13050
cudaError_t cudaStreamBeginRecaptureToGraph(cudaStream_t stream, enum cudaStreamCaptureMode mode, cudaGraph_t graph,
                                            void* callback);
#endif
#if CUDART_VERSION < 13020
cudaError_t cudaLaunchHostFunc_v2(cudaStream_t stream, cudaHostFn_t function, void* data, unsigned int mode);
#endif
}
