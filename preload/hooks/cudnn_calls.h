// The functions of cuDNN that put work on the device, as in cuDNN 8 and 9. NVIDIA's headers come in a package of half a
// gigabyte, so these are declarations of our own: handles and descriptors are pointers, enumerations are int.
#pragma once

#include <stddef.h>
#include <stdint.h>

extern "C" {
using CudnnHandle = struct cudnnContext*;

int cudnnBackendExecute(CudnnHandle handle, void* plan, void* variants);
int cudnnBackendCreateDescriptor(int type, void** descriptor);
int cudnnBackendDestroyDescriptor(void* descriptor);
int cudnnBackendSetAttribute(void* descriptor, int name, int type, int64_t count, const void* elements);
int cudnnBackendGetAttribute(void* descriptor, int name, int type, int64_t wanted, int64_t* count, void* elements);

int cudnnConvolutionForward(CudnnHandle handle, const void* alpha, const void* x_layout, const void* x,
                            const void* w_layout, const void* w, const void* convolution, int algorithm,
                            void* workspace, size_t workspace_bytes, const void* beta, const void* y_layout, void* y);
int cudnnConvolutionBiasActivationForward(CudnnHandle handle, const void* alpha1, const void* x_layout, const void* x,
                                          const void* w_layout, const void* w, const void* convolution, int algorithm,
                                          void* workspace, size_t workspace_bytes, const void* alpha2,
                                          const void* z_layout, const void* z, const void* bias_layout,
                                          const void* bias, const void* activation, const void* y_layout, void* y);
int cudnnConvolutionBackwardData(CudnnHandle handle, const void* alpha, const void* w_layout, const void* w,
                                 const void* dy_layout, const void* dy, const void* convolution, int algorithm,
                                 void* workspace, size_t workspace_bytes, const void* beta, const void* dx_layout,
                                 void* dx);
int cudnnConvolutionBackwardFilter(CudnnHandle handle, const void* alpha, const void* x_layout, const void* x,
                                   const void* dy_layout, const void* dy, const void* convolution, int algorithm,
                                   void* workspace, size_t workspace_bytes, const void* beta, const void* dw_layout,
                                   void* dw);

int cudnnFindConvolutionForwardAlgorithmEx(CudnnHandle handle, const void* x_layout, const void* x,
                                           const void* w_layout, const void* w, const void* convolution,
                                           const void* y_layout, void* y, int wanted, int* found, void* results,
                                           void* workspace, size_t workspace_bytes);
int cudnnFindConvolutionBackwardDataAlgorithmEx(CudnnHandle handle, const void* w_layout, const void* w,
                                                const void* dy_layout, const void* dy, const void* convolution,
                                                const void* dx_layout, void* dx, int wanted, int* found, void* results,
                                                void* workspace, size_t workspace_bytes);
int cudnnFindConvolutionBackwardFilterAlgorithmEx(CudnnHandle handle, const void* x_layout, const void* x,
                                                  const void* dy_layout, const void* dy, const void* convolution,
                                                  const void* dw_layout, void* dw, int wanted, int* found,
                                                  void* results, void* workspace, size_t workspace_bytes);

int cudnnBatchNormalizationForwardTrainingEx(CudnnHandle handle, int mode, int operations, const void* alpha,
                                             const void* beta, const void* x_layout, const void* x,
                                             const void* z_layout, const void* z, const void* y_layout, void* y,
                                             const void* scale_layout, const void* scale, const void* bias,
                                             double factor, void* running_mean, void* running_variance, double epsilon,
                                             void* saved_mean, void* saved_variance, void* activation, void* workspace,
                                             size_t workspace_bytes, void* reserve, size_t reserve_bytes);
int cudnnBatchNormalizationForwardInference(CudnnHandle handle, int mode, const void* alpha, const void* beta,
                                            const void* x_layout, const void* x, const void* y_layout, void* y,
                                            const void* scale_layout, const void* scale, const void* bias,
                                            const void* mean, const void* variance, double epsilon);
int cudnnBatchNormalizationBackwardEx(CudnnHandle handle, int mode, int operations, const void* alpha_data,
                                      const void* beta_data, const void* alpha_parameters, const void* beta_parameters,
                                      const void* x_layout, const void* x, const void* y_layout, const void* y,
                                      const void* dy_layout, const void* dy, const void* dz_layout, void* dz,
                                      const void* dx_layout, void* dx, const void* dscale_layout, const void* scale,
                                      const void* bias, void* dscale, void* dbias, double epsilon,
                                      const void* saved_mean, const void* saved_variance, void* activation,
                                      void* workspace, size_t workspace_bytes, void* reserve, size_t reserve_bytes);

int cudnnPoolingForward(CudnnHandle handle, const void* pooling, const void* alpha, const void* x_layout, const void* x,
                        const void* beta, const void* y_layout, void* y);

int cudnnRNNForward(CudnnHandle handle, void* rnn, int mode, const int32_t* lengths, void* x_layout, const void* x,
                    void* y_layout, void* y, void* h_layout, const void* hx, void* hy, void* c_layout, const void* cx,
                    void* cy, size_t weight_bytes, const void* weights, size_t workspace_bytes, void* workspace,
                    size_t reserve_bytes, void* reserve);
int cudnnRNNBackwardData_v8(CudnnHandle handle, void* rnn, const int32_t* lengths, void* y_layout, const void* y,
                            const void* dy, void* x_layout, void* dx, void* h_layout, const void* hx, const void* dhy,
                            void* dhx, void* c_layout, const void* cx, const void* dcy, void* dcx, size_t weight_bytes,
                            const void* weights, size_t workspace_bytes, void* workspace, size_t reserve_bytes,
                            void* reserve);
int cudnnRNNBackwardWeights_v8(CudnnHandle handle, void* rnn, int accumulate, const int32_t* lengths, void* x_layout,
                               const void* x, void* h_layout, const void* hx, void* y_layout, const void* y,
                               size_t weight_bytes, void* dweights, size_t workspace_bytes, void* workspace,
                               size_t reserve_bytes, void* reserve);

int cudnnCTCLoss(CudnnHandle handle, const void* layout, const void* probabilities, const int* labels,
                 const int* label_lengths, const int* input_lengths, void* costs, const void* gradients_layout,
                 void* gradients, int algorithm, void* ctc, void* workspace, size_t workspace_bytes);
int cudnnCTCLoss_v8(CudnnHandle handle, int algorithm, void* ctc, const void* layout, const void* probabilities,
                    const int* labels, const int* label_lengths, const int* input_lengths, void* costs,
                    const void* gradients_layout, void* gradients, size_t workspace_bytes, void* workspace);
}
