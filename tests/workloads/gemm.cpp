// See gemm.h. The libraries are column-major, so they compute Cᵀ = Bᵀ · Aᵀ.
#include "gemm.h"

#include <algorithm>

#include "checks.h"

namespace training {
namespace {

constexpr std::size_t kWorkspaceBytes = 32 << 20;

cublasOperation_t operation_of(bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; }

cublasLtMatrixLayout_t layout_of(int rows, int columns) {
  cublasLtMatrixLayout_t layout = nullptr;
  check(cublasLtMatrixLayoutCreate(&layout, CUDA_R_16BF, static_cast<std::uint64_t>(rows),
                                   static_cast<std::uint64_t>(columns), rows),
        "cublasLtMatrixLayoutCreate");
  return layout;
}

}  // namespace

Gemm::Gemm(const Options& options, Scratch& scratch, cudaStream_t stream)
    : uses_cublas_(options.gemm != "cublaslt"),
      uses_cublaslt_(options.gemm != "cublas"),
      scratch_(scratch),
      stream_(stream) {
  check(cublasCreate(&cublas_), "cublasCreate");
  check(cublasSetStream(cublas_, stream), "cublasSetStream");
  check(cublasLtCreate(&cublaslt_), "cublasLtCreate");
  check(cudaMalloc(&workspace_, kWorkspaceBytes), "cudaMalloc");
}

Gemm::~Gemm() {
  for (auto& [key, plan] : plans_) {
    for (cublasLtMatrixLayout_t layout : {plan.a, plan.b, plan.c}) cublasLtMatrixLayoutDestroy(layout);
    cublasLtMatmulDescDestroy(plan.operation);
  }
  check(cublasLtDestroy(cublaslt_), "cublasLtDestroy");
  check(cublasDestroy(cublas_), "cublasDestroy");
  check(cudaFree(workspace_), "cudaFree");
}

void Gemm::multiply(Element* c, const Element* a, const Element* b, const Product& product) {
  multiply_once(c, a, b, product);
  if (slow_percent_ > 0 && product.batch == 1) multiply_in_vain(a, b, product);
}

// With both libraries, plain products of activations and weights go to cublasLt, all others to cuBLAS.
void Gemm::multiply_once(Element* c, const Element* a, const Element* b, const Product& product) {
  flops_ += std::int64_t{2} * product.m * product.n * product.k * product.batch;
  const bool is_plain = product.batch == 1 && !product.accumulate;
  if (is_plain && uses_cublaslt_ && (!uses_cublas_ || !product.transpose_a)) {
    by_cublaslt(c, a, b, product);
  } else {
    by_cublas(c, a, b, product);
  }
}

void Gemm::by_cublas(Element* c, const Element* a, const Element* b, const Product& p) {
  const float alpha = 1, beta = p.accumulate ? 1 : 0;
  const int lda = p.transpose_a ? p.m : p.k;
  const int ldb = p.transpose_b ? p.k : p.n;
  const cublasOperation_t a_operation = operation_of(p.transpose_a), b_operation = operation_of(p.transpose_b);
  if (p.batch == 1) {
    check(cublasGemmEx(cublas_, b_operation, a_operation, p.n, p.m, p.k, &alpha, b, CUDA_R_16BF, ldb, a, CUDA_R_16BF,
                       lda, &beta, c, CUDA_R_16BF, p.n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
          "cublasGemmEx");
    return;
  }
  const auto stride = [](int rows, int columns) { return static_cast<long long>(rows) * columns; };
  check(cublasGemmStridedBatchedEx(cublas_, b_operation, a_operation, p.n, p.m, p.k, &alpha, b, CUDA_R_16BF, ldb,
                                   stride(p.k, p.n), a, CUDA_R_16BF, lda, stride(p.m, p.k), &beta, c, CUDA_R_16BF, p.n,
                                   stride(p.m, p.n), p.batch, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
        "cublasGemmStridedBatchedEx");
}

void Gemm::by_cublaslt(Element* c, const Element* a, const Element* b, const Product& product) {
  const Plan& plan = plan_for(product);
  const float alpha = 1, beta = 0;
  check(cublasLtMatmul(cublaslt_, plan.operation, &alpha, b, plan.b, a, plan.a, &beta, c, plan.c, c, plan.c,
                       &plan.algorithm, workspace_, kWorkspaceBytes, stream_),
        "cublasLtMatmul");
}

const Gemm::Plan& Gemm::plan_for(const Product& p) {
  const PlanKey key{p.m, p.n, p.k, p.transpose_a, p.transpose_b};
  const auto found = plans_.find(key);
  return found != plans_.end() ? found->second : plans_.emplace(key, make_plan(p)).first->second;
}

Gemm::Plan Gemm::make_plan(const Product& p) {
  Plan plan{};
  const cublasOperation_t first = operation_of(p.transpose_b), second = operation_of(p.transpose_a);
  check(cublasLtMatmulDescCreate(&plan.operation, CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescCreate");
  check(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_TRANSA, &first, sizeof first),
        "cublasLtMatmulDescSetAttribute");
  check(cublasLtMatmulDescSetAttribute(plan.operation, CUBLASLT_MATMUL_DESC_TRANSB, &second, sizeof second),
        "cublasLtMatmulDescSetAttribute");
  plan.b = p.transpose_b ? layout_of(p.k, p.n) : layout_of(p.n, p.k);
  plan.a = p.transpose_a ? layout_of(p.m, p.k) : layout_of(p.k, p.m);
  plan.c = layout_of(p.n, p.m);
  cublasLtMatmulPreference_t preference = nullptr;
  check(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
  check(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspaceBytes,
                                             sizeof kWorkspaceBytes),
        "cublasLtMatmulPreferenceSetAttribute");
  cublasLtMatmulHeuristicResult_t result{};
  int found = 0;
  check(cublasLtMatmulAlgoGetHeuristic(cublaslt_, plan.operation, plan.b, plan.a, plan.c, plan.c, preference, 1,
                                       &result, &found),
        "cublasLtMatmulAlgoGetHeuristic");
  if (found == 0) fail("cublasLt knows no algorithm for a product");
  cublasLtMatmulPreferenceDestroy(preference);
  plan.algorithm = result.algo;
  return plan;
}

// Repeats the product on the given percentage of its rows.
void Gemm::multiply_in_vain(const Element* a, const Element* b, const Product& product) {
  int rows = static_cast<int>(product.m * slow_percent_ / 100);
  Product part = product;
  part.transpose_a = false;
  part.accumulate = false;
  const Buffer result = scratch_.take(static_cast<std::size_t>(product.m) * product.n);
  for (; rows > 0; rows -= part.m) {
    part.m = std::min(rows, product.m);
    multiply_once(result.elements(), a, b, part);
  }
}

}  // namespace training
