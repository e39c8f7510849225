// Matrix products of row-major matrices, by cuBLAS or by cublasLt.
#pragma once

#include <cublasLt.h>
#include <cublas_v2.h>

#include <cstdint>
#include <map>
#include <tuple>

#include "kernels/element.h"
#include "options.h"
#include "scratch.h"

namespace training {

// C = A · B, where C is m × n. A transposed factor is stored as its transpose.
struct Product {
  int m, n, k;
  bool transpose_a = false;
  bool transpose_b = false;
  bool accumulate = false;  // C += A · B
  int batch = 1;            // number of contiguous matrices
};

class Gemm {
 public:
  Gemm(const Options& options, Scratch& scratch, cudaStream_t stream);
  ~Gemm();
  Gemm(const Gemm&) = delete;
  Gemm& operator=(const Gemm&) = delete;

  // From now on each product does this percentage of additional work.
  void slow_down(double percent) { slow_percent_ = percent; }

  void multiply(Element* c, const Element* a, const Element* b, const Product& product);

  // Floating-point operations of all products so far, those of a capture included.
  std::int64_t flops() const { return flops_; }

 private:
  struct Plan {
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulAlgo_t algorithm;
  };
  using PlanKey = std::tuple<int, int, int, bool, bool>;

  void multiply_once(Element* c, const Element* a, const Element* b, const Product& product);
  void by_cublas(Element* c, const Element* a, const Element* b, const Product& product);
  void by_cublaslt(Element* c, const Element* a, const Element* b, const Product& product);
  const Plan& plan_for(const Product& product);
  Plan make_plan(const Product& product);
  void multiply_in_vain(const Element* a, const Element* b, const Product& product);

  bool uses_cublas_, uses_cublaslt_;
  double slow_percent_ = 0;
  std::int64_t flops_ = 0;
  Scratch& scratch_;
  cudaStream_t stream_;
  cublasHandle_t cublas_ = nullptr;
  cublasLtHandle_t cublaslt_ = nullptr;
  void* workspace_ = nullptr;
  std::map<PlanKey, Plan> plans_;
};

}  // namespace training
