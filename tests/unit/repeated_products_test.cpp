// Which products of a backward pass repeat the forward pass: parts of a step by hand, as cuBLAS is called for them.
#include "metrics/efficiency/repeated_products.h"

#include <gtest/gtest.h>

#include "trace_builder.h"

namespace tauprof {
namespace {

using log::ProductForm;

constexpr uint8_t kNN = 0, kTN = 1, kNT = 2;

class RepeatedProductsTest : public testing::Test {
 protected:
  RepeatedProductsTest() { In(Phase::kForward); }

  void In(Phase phase) { phase_ = phase; }
  void Multiply(int64_t m, int64_t n, int64_t k, uint8_t transpose = kNN, ProductForm form = ProductForm::kMatrices,
                log::DataType type = log::DataType::kBfloat16) {
    GemmShape shape{m, n, k};
    shape.flops = 2.0 * static_cast<double>(m * n * k);
    shape.type_a = shape.type_b = type;
    shape.type_compute = log::DataType::kFloat32;
    shape.transpose = transpose;
    shape.form = form;
    Add(shape);
  }
  void Operator(int64_t m, int64_t n, int64_t k, uint32_t function = 0) {
    GemmShape shape{m, n, k};
    shape.flops = 2.0 * static_cast<double>(m * n * k);
    Add(shape, function);
  }
  // A linear layer of `in` × `out` on `tokens`: forward, the gradient of its input, and of its weight.
  void Linear(int64_t in, int64_t out) { Multiply(out, kTokens, in, kTN); }
  void GradientOfInput(int64_t in, int64_t out) { Multiply(in, kTokens, out, kNN); }
  void GradientOfWeight(int64_t in, int64_t out) { Multiply(in, out, kTokens, kNT); }
  // The bits of the products in order: R repeats.
  std::string Found() {
    const ProcessTrace& trace = Trace();
    const RepeatedProducts found(trace);
    EXPECT_EQ(found.unknown_because(), "");
    std::string bits;
    for (const GemmWork& gemm : trace.gemms) bits += found.is_repeat(gemm.product) ? 'R' : '.';
    return bits;
  }
  ProcessTrace& Trace() {
    ProcessTrace& trace = builder_.build();
    for (HostCall& call : trace.calls) call.step = 0;
    trace.gemm_kinds = kinds_;
    trace.gemms = gemms_;
    return trace;
  }
  uint32_t KindOf(const GemmShape& shape, uint32_t function = 0) {
    for (uint32_t i = 0; i < kinds_.size(); ++i)
      if (kinds_[i] == GemmKind{function, shape}) return i;
    kinds_.push_back({function, shape});
    return static_cast<uint32_t>(kinds_.size() - 1);
  }

  static constexpr int64_t kTokens = 1024;
  TraceBuilder builder_;

 private:
  void Add(const GemmShape& shape, uint32_t function = 0) {
    builder_.call("cublasGemmEx", now_, now_ + 5, phase_);
    now_ += 10;
    const auto number = static_cast<uint32_t>(gemms_.size());
    gemms_.push_back({number, KindOf(shape, function), number});
  }

  Phase phase_ = Phase::kOther;
  Nanoseconds now_ = 0;
  std::vector<GemmKind> kinds_;
  std::vector<GemmWork> gemms_;
};

TEST_F(RepeatedProductsTest, AreNoneWithoutCheckpoints) {
  Linear(256, 1024), Linear(1024, 256);
  In(Phase::kBackward);
  GradientOfInput(1024, 256), GradientOfWeight(1024, 256), GradientOfInput(256, 1024), GradientOfWeight(256, 1024);
  EXPECT_EQ(Found(), "......");
}

TEST_F(RepeatedProductsTest, AreTheForwardPassOnceMore) {
  Linear(256, 1024), Linear(1024, 256);
  In(Phase::kBackward);
  Linear(256, 1024), Linear(1024, 256);
  GradientOfInput(1024, 256), GradientOfWeight(1024, 256), GradientOfInput(256, 1024), GradientOfWeight(256, 1024);
  EXPECT_EQ(Found(), "..RR....");
}

TEST_F(RepeatedProductsTest, OfSquareLayersAreToldByTransposition) {
  Linear(256, 256);
  In(Phase::kBackward);
  GradientOfInput(256, 256), GradientOfWeight(256, 256);
  EXPECT_EQ(Found(), "...");
}

// The first layer's input needs no gradient.
TEST_F(RepeatedProductsTest, AreFoundWhereAGradientIsNotWanted) {
  Linear(256, 256);
  In(Phase::kBackward);
  Linear(256, 256), GradientOfWeight(256, 256);
  EXPECT_EQ(Found(), ".R.");
}

// LoRA: frozen weights have no gradients, so no more products run than without checkpoints and without frozen weights.
TEST_F(RepeatedProductsTest, OfFrozenLayersAreFound) {
  Linear(256, 1024);
  In(Phase::kBackward);
  Linear(256, 1024), GradientOfInput(256, 1024);
  EXPECT_EQ(Found(), ".R.");
}

// The header's example. In cuBLAS' order: Q·Kᵀ is K transposed times Q.
TEST_F(RepeatedProductsTest, OfAttentionByHandAreToldFromGradientsLikeThem) {
  constexpr int64_t kLength = 256, kWidth = 64;
  const auto scores = [&] { Multiply(kLength, kLength, kWidth, kTN); };
  const auto output = [&] { Multiply(kWidth, kLength, kLength, kNN); };
  const auto gradients = [&] {
    Multiply(kWidth, kLength, kLength, kNT);  // of V
    Multiply(kLength, kLength, kWidth, kTN);  // of P, like Q·Kᵀ
    Multiply(kLength, kWidth, kLength, kNT);  // of K
    Multiply(kWidth, kLength, kLength, kNN);  // of Q, like P·V
  };
  scores(), output();
  In(Phase::kBackward);
  gradients();
  EXPECT_EQ(Found(), "......");
}

TEST_F(RepeatedProductsTest, OfAttentionByHandAreWhatIsMoreThanGradients) {
  constexpr int64_t kLength = 256, kWidth = 64;
  Multiply(kLength, kLength, kWidth, kTN), Multiply(kWidth, kLength, kLength, kNN);
  In(Phase::kBackward);
  Multiply(kLength, kLength, kWidth, kTN), Multiply(kWidth, kLength, kLength, kNN);
  Multiply(kWidth, kLength, kLength, kNT), Multiply(kLength, kLength, kWidth, kTN);
  Multiply(kLength, kWidth, kLength, kNT), Multiply(kWidth, kLength, kLength, kNN);
  EXPECT_EQ(Found(), "..RR....");
}

// GPT-2's layers of transformers hold their weights the other way around, so a gradient is like a linear layer.
TEST_F(RepeatedProductsTest, AreNotGradientsOfLayersThatLieTheOtherWayAround) {
  Linear(256, 1024);
  Multiply(256, kTokens, 1024, kNN);
  In(Phase::kBackward);
  Multiply(1024, kTokens, 256, kTN), Multiply(256, 1024, kTokens, kNT);
  GradientOfInput(256, 1024), GradientOfWeight(256, 1024);
  EXPECT_EQ(Found(), "......");
}

TEST_F(RepeatedProductsTest, OfOperatorsAreToldWithoutTransposition) {
  Operator(kTokens, 256, 256);
  In(Phase::kBackward);
  Operator(kTokens, 256, 256), Operator(kTokens, 256, 256), Operator(256, 256, kTokens);
  EXPECT_EQ(Found(), ".R..");
}

// As many tokens as the layers are wide, and frozen: 1 adds a bias, which gradients have not.
TEST_F(RepeatedProductsTest, OfAFunctionThatComputesNoGradientsAreAll) {
  Operator(1024, 1024, 256, 1), Operator(1024, 256, 1024, 1);
  In(Phase::kBackward);
  Operator(1024, 1024, 256, 1), Operator(1024, 256, 1024, 1);
  Operator(1024, 1024, 256), Operator(1024, 256, 1024);
  EXPECT_EQ(Found(), "..RR..");
}

// A decoder's transposed convolution computes forward what an encoder's convolution computes backward.
TEST_F(RepeatedProductsTest, OfConvolutionsAreNotTheOtherDirections) {
  Multiply(4096, 64, 288, kNN, ProductForm::kConvolution);
  Multiply(4096, 64, 288, kNN, ProductForm::kConvolutionData);
  In(Phase::kBackward);
  Multiply(4096, 64, 288, kNN, ProductForm::kConvolution),
      Multiply(4096, 64, 288, kNN, ProductForm::kConvolutionFilter);
  Multiply(4096, 64, 288, kNN, ProductForm::kConvolutionData);
  Multiply(4096, 64, 288, kNN, ProductForm::kConvolutionFilter);
  EXPECT_EQ(Found(), "......");
}

TEST_F(RepeatedProductsTest, OfConvolutionsAndAttentionAreFound) {
  Multiply(4096, 64, 288, kNN, ProductForm::kConvolution), Multiply(256, 256, 128, kNN, ProductForm::kAttention);
  In(Phase::kBackward);
  Multiply(4096, 64, 288, kNN, ProductForm::kConvolution), Multiply(256, 256, 128, kNN, ProductForm::kAttention);
  Multiply(256, 256, 320, kNN, ProductForm::kAttentionBackward);
  Multiply(4096, 64, 288, kNN, ProductForm::kConvolutionData);
  EXPECT_EQ(Found(), "..RR..");
}

// FP8: matrices are copied so that all products are of the one kind that cublasLt has.
TEST_F(RepeatedProductsTest, OfFp8AreFoundAmongGradientsThatLieAnotherWay) {
  Linear(256, 1024), Linear(1024, 256);
  In(Phase::kBackward);
  Linear(256, 1024), Linear(1024, 256);
  Multiply(1024, kTokens, 256, kTN, ProductForm::kMatrices, log::DataType::kFloat8E5M2);
  Multiply(1024, 256, kTokens, kTN, ProductForm::kMatrices, log::DataType::kFloat8E5M2);
  Multiply(256, kTokens, 1024, kTN, ProductForm::kMatrices, log::DataType::kFloat8E5M2);
  Multiply(256, 1024, kTokens, kTN, ProductForm::kMatrices, log::DataType::kFloat8E5M2);
  EXPECT_EQ(Found(), "..RR....");
}

// A layer whose gradient is trained: autograd.grad(…, create_graph=True), then backward(). The gradient of a
// gradient of the input is like the layer.
TEST_F(RepeatedProductsTest, AreNotKnownAmongGradientsOfGradients) {
  Linear(256, 1024);
  In(Phase::kBackward);
  GradientOfInput(256, 1024);
  Linear(256, 1024), GradientOfWeight(256, 1024);           // of that gradient, by what it was of and by the weight
  GradientOfInput(256, 1024), GradientOfWeight(256, 1024);  // of the layer
  EXPECT_EQ(
      RepeatedProducts(Trace()).unknown_because(),
      "backward passes compute more than gradients of the forward pass and what recomputation repeats, so what is "
      "repeated is not known");
}

TEST_F(RepeatedProductsTest, AreNotKnownWithoutABackwardPassUnlessTheFrameworkSpeaks) {
  Linear(256, 1024);
  ProcessTrace& trace = Trace();
  EXPECT_NE(RepeatedProducts(trace).unknown_because(), "");
  trace.marks.push_back({0, 10, 0, 0, MarkKind::kForward});
  EXPECT_EQ(RepeatedProducts(trace).unknown_because(), "");
}

TEST_F(RepeatedProductsTest, InGraphsOfOnePassAreCounted) {
  GemmShape shape{1024, kTokens, 256};
  shape.flops = 1;
  shape.type_compute = log::DataType::kFloat32;
  shape.transpose = kTN;
  GemmShape gradient{256, kTokens, 1024};
  gradient.type_compute = log::DataType::kFloat32;
  const uint32_t layer = KindOf(shape), other = KindOf(gradient);
  builder_.call("cudaGraphLaunch", 0, 5, Phase::kForward);
  builder_.call("cudaGraphLaunch", 10, 15, Phase::kBackward);
  ProcessTrace& trace = Trace();
  trace.graphs.resize(2);
  trace.graphs[0].products = {{layer, 6}};
  trace.graphs[1].products = {{layer, 4}, {other, 6}};
  trace.graph_launches = {{0, 0}, {1, 1}};
  const RepeatedProducts found(trace);
  EXPECT_EQ(found.unknown_because(), "");
  EXPECT_EQ(found.in_graph(1, layer), 4u);
  EXPECT_EQ(found.in_graph(1, other), 0u);
  trace.calls[0].phase = Phase::kOptimStep;
  EXPECT_EQ(RepeatedProducts(trace).unknown_because(),
            "CUDA graphs hold whole passes, so what recomputation repeats is not known");
}

}  // namespace
}  // namespace tauprof
