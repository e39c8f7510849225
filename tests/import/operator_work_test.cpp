// The products of operators, by their inputs: the shapes of PyTorch's own documentation of each operator.
#include "import/operator_work.h"

#include <gtest/gtest.h>

#include "import/input_shapes.h"

namespace tauprof::kineto {
namespace {

EventArgs inputs(std::string_view dims, std::string_view types = R"(["float", "float"])",
                 std::string_view values = "") {
  EventArgs args;
  args.input_dims = dims;
  args.input_types = types;
  args.input_values = values;
  return args;
}

int64_t flops(std::string_view name, std::string_view dims, std::string_view values = "") {
  const auto work = matrix_work(name, inputs(dims, R"(["float", "float"])", values));
  return work ? work->flops : 0;
}

TEST(InputShapes, HaveOneForEachInput) {
  const std::vector<Shape> shapes = input_shapes("[[512, 4], [], [[8], [2, 3]], [7]]");
  ASSERT_EQ(shapes.size(), 4u);
  EXPECT_EQ(shapes[0], (Shape{512, 4}));
  EXPECT_TRUE(shapes[1].empty());
  EXPECT_TRUE(shapes[2].empty());  // a list of tensors
  EXPECT_EQ(shapes[3], (Shape{7}));
  EXPECT_TRUE(input_shapes("").empty());
  EXPECT_TRUE(input_shapes("nonsense").empty());
}

TEST(InputShapes, TextsMayHoldLists) {
  const auto texts = input_texts(R"(["", "[1, 1]", "False", "0.5"])");
  ASSERT_EQ(texts.size(), 4u);
  EXPECT_EQ(texts[1], "[1, 1]");
  EXPECT_EQ(texts[2], "False");
  EXPECT_EQ(numbers_in(texts[1]), (Shape{1, 1}));
  EXPECT_TRUE(numbers_in("[1, x]").empty());
}

TEST(OperatorWork, OfProducts) {
  EXPECT_EQ(flops("aten::mm", "[[3, 5], [5, 7]]"), 2 * 3 * 5 * 7);
  EXPECT_EQ(flops("aten::addmm", "[[7], [3, 5], [5, 7], [], []]"), 2 * 3 * 5 * 7);
  EXPECT_EQ(flops("aten::bmm", "[[11, 3, 5], [11, 5, 7]]"), 2 * 11 * 3 * 5 * 7);
  EXPECT_EQ(flops("aten::baddbmm", "[[11, 3, 7], [11, 3, 5], [11, 5, 7], [], []]"), 2 * 11 * 3 * 5 * 7);
  EXPECT_EQ(flops("aten::_scaled_mm", "[[3, 5], [5, 7], [], []]"), 2 * 3 * 5 * 7);
}

TEST(OperatorWork, OfALinearLayerWithAnyNumberOfDimensions) {
  EXPECT_EQ(flops("aten::linear", "[[3, 5], [7, 5], [7]]"), 2 * 3 * 5 * 7);
  EXPECT_EQ(flops("aten::linear", "[[2, 4, 3, 5], [7, 5], []]"), 2 * (2 * 4 * 3) * 5 * 7);
  EXPECT_EQ(flops("aten::linear", "[[5], [7, 5], []]"), 2 * 5 * 7);
}

TEST(OperatorWork, SaysSizesAndTypes) {
  const auto work =
      matrix_work("aten::bmm", inputs("[[11, 3, 5], [11, 5, 7]]", R"(["c10::BFloat16", "c10::BFloat16"])"));
  ASSERT_TRUE(work);
  EXPECT_EQ(work->m, 3);
  EXPECT_EQ(work->n, 7);
  EXPECT_EQ(work->k, 5);
  EXPECT_EQ(work->batch, 11);
  EXPECT_EQ(work->type_a, log::DataType::kBfloat16);
  EXPECT_EQ(work->type_b, log::DataType::kBfloat16);
}

TEST(OperatorWork, IsUnknownWhereShapesDoNotFitEachOther) {
  EXPECT_EQ(flops("aten::mm", "[[3, 5], [6, 7]]"), 0);
  EXPECT_EQ(flops("aten::mm", "[[3, 5]]"), 0);
  EXPECT_EQ(flops("aten::bmm", "[[11, 3, 5], [12, 5, 7]]"), 0);
  EXPECT_EQ(flops("aten::linear", "[[], [7, 5], []]"), 0);
  EXPECT_EQ(flops("aten::mm", "[[3, -5], [-5, 7]]"), 0);
  EXPECT_EQ(flops("aten::mm", "[[4611686018427387904, 8], [8, 4611686018427387904]]"), 0);
  EXPECT_EQ(flops("aten::relu", "[[3, 5]]"), 0);
  EXPECT_FALSE(may_multiply("aten::mul"));
}

// A 7×7 kernel with stride 2 and padding 3 on 224×224: 112×112 positions.
TEST(OperatorWork, OfAConvolution) {
  const std::string_view dims = "[[2, 3, 224, 224], [64, 3, 7, 7], [], [], [], [], [], [], []]";
  const std::string_view values = R"(["", "", "", "[2, 2]", "[3, 3]", "[1, 1]", "False", "[0, 0]", "1"])";
  const auto work = matrix_work("aten::convolution", inputs(dims, "", values));
  ASSERT_TRUE(work);
  EXPECT_EQ(work->m, 2 * 112 * 112);
  EXPECT_EQ(work->n, 64);
  EXPECT_EQ(work->k, 3 * 7 * 7);
  EXPECT_EQ(work->flops, int64_t{2} * 2 * 112 * 112 * 64 * 3 * 7 * 7);
  EXPECT_EQ(flops("aten::convolution", dims), 0);  // before PyTorch 2.1: no stride
}

TEST(OperatorWork, OfAConvolutionInGroupsWithDilation) {
  // A kernel of 3 that reaches over 5: 10 + 2 · 2 − 5 + 1 = 10 positions.
  EXPECT_EQ(flops("aten::convolution", "[[1, 8, 10], [16, 2, 3], [16], [], [], [], [], [], []]",
                  R"(["", "", "", "[1]", "[2]", "[2]", "False", "[0]", "4"])"),
            2 * 10 * 16 * 2 * 3);
}

TEST(OperatorWork, OfATransposedConvolutionCountsPositionsOfTheInput) {
  EXPECT_EQ(flops("aten::convolution", "[[1, 8, 10], [8, 16, 3], [], [], [], [], [], [], []]",
                  R"(["", "", "", "[2]", "[0]", "[1]", "True", "[0]", "1"])"),
            2 * 10 * 8 * 16 * 3);
}

TEST(OperatorWork, OfAConvolutionsBackwardCountsTheWantedGradients) {
  const std::string_view dims = "[[2, 64, 112, 112], [2, 3, 224, 224], [64, 3, 7, 7], [], [], [], [], [], [], [], []]";
  const int64_t once = int64_t{2} * 2 * 112 * 112 * 64 * 3 * 7 * 7;
  const auto values = [](std::string_view mask) {
    return R"(["", "", "", "[0]", "[2, 2]", "[3, 3]", "[1, 1]", "False", "[0, 0]", "1", ")" + std::string(mask) + "\"]";
  };
  EXPECT_EQ(flops("aten::convolution_backward", dims, values("[True, True, False]")), 2 * once);
  EXPECT_EQ(flops("aten::convolution_backward", dims, values("[False, True, True]")), once);
  EXPECT_EQ(flops("aten::convolution_backward", dims, values("")), 0);
}

constexpr std::string_view kHeads = "[2, 4, 128, 64], [2, 4, 256, 64], [2, 4, 256, 32]";

TEST(OperatorWork, OfAttentionByEachBackend) {
  const int64_t full = int64_t{2} * 2 * 4 * 128 * 256 * (64 + 32);
  const std::string dims = "[" + std::string(kHeads) + ", [], [], [], []]";
  for (const std::string_view backend : {"flash", "efficient", "cudnn"})
    EXPECT_EQ(flops("aten::_scaled_dot_product_" + std::string(backend) + "_attention", dims), full);
}

// As in PyTorch's counter.
TEST(OperatorWork, OfAttentionIsWholeWhateverIsMasked) {
  const std::string dims = "[" + std::string(kHeads) + ", [], [], [], []]";
  const std::string_view flash = "aten::_scaled_dot_product_flash_attention";
  EXPECT_EQ(flops(flash, dims, R"(["", "", "", "0.", "False", "False", ""])"),
            flops(flash, dims, R"(["", "", "", "0.", "True", "False", ""])"));
}

TEST(OperatorWork, OfAttentionsBackwardHasFiveProducts) {
  const std::string dims = "[[2, 4, 128, 32], " + std::string(kHeads) + ", [2, 4, 128, 32], [2, 4, 128]]";
  const int64_t full = int64_t{2} * 2 * 4 * 128 * 256 * (3 * 64 + 2 * 32);
  for (const std::string_view backend : {"flash", "efficient", "cudnn"})
    EXPECT_EQ(flops("aten::_scaled_dot_product_" + std::string(backend) + "_attention_backward", dims), full);
}

TEST(OperatorWork, SaysWhatItIs) {
  const auto form = [](std::string_view name, std::string_view dims) {
    return matrix_work(name, inputs(dims)).value_or(MatrixWork{}).form;
  };
  EXPECT_EQ(form("aten::mm", "[[2, 3], [3, 4]]"), log::ProductForm::kMatrices);
  EXPECT_EQ(form("aten::_scaled_dot_product_flash_attention", "[" + std::string(kHeads) + "]"),
            log::ProductForm::kAttention);
}

}  // namespace
}  // namespace tauprof::kineto
