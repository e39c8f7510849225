// The products of cuDNN's plans, told by their descriptors as cudnn-frontend makes them.
#include "capture/calls/cudnn_products.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace tauprof::capture {
namespace {

using log::ProductForm;
using Sizes = std::vector<int64_t>;

constexpr int kEngineConfig = 3, kHeuristics = 4, kPlan = 5, kForward = 10, kPointwise = 13, kGraph = 15, kTensor = 17,
              kMatmul = 19, kSdpa = 41;                     // descriptors
constexpr int kDataType = 1, kInt64 = 3, kDescriptor = 15;  // of attributes
constexpr int kBfloat16 = 9;

class CudnnProductsTest : public testing::Test {
 protected:
  const void* Create(int type) {
    handles_.push_back(std::make_unique<char>());
    products_->created(handles_.back().get(), type);
    return handles_.back().get();
  }
  void Set(const void* descriptor, int name, std::vector<const void*> others) {
    products_->was_set(descriptor, name, kDescriptor, static_cast<int64_t>(others.size()), others.data());
  }
  const void* Tensor(const Sizes& sizes) {
    const void* const tensor = Create(kTensor);
    products_->was_set(tensor, 901, kDataType, 1, &kBfloat16);
    products_->was_set(tensor, 902, kInt64, static_cast<int64_t>(sizes.size()), sizes.data());
    return tensor;
  }
  const void* Operation(int type, std::vector<std::pair<int, Sizes>> tensors) {
    const void* const operation = Create(type);
    for (const auto& [name, sizes] : tensors) {
      const void* const tensor = Tensor(sizes);
      Set(operation, name, {tensor});
      products_->destroyed(tensor);
    }
    return operation;
  }
  const void* Convolution() {
    return Operation(kForward, {{704, {8, 64, 32, 32}}, {703, {128, 64, 3, 3}}, {705, {8, 128, 16, 16}}});
  }
  const void* Graph(std::vector<const void*> operations) {
    const void* const graph = Create(kGraph);
    Set(graph, 801, operations);
    for (const void* operation : operations) products_->destroyed(operation);
    return graph;
  }
  const void* Plan(const void* graph) {
    const void *const heuristics = Create(kHeuristics), *const config = Create(kEngineConfig);
    Set(heuristics, 201, {graph});
    products_->was_asked(heuristics, kDescriptor, 1, &config);
    products_->destroyed(graph);
    products_->destroyed(heuristics);
    const void* const plan = Create(kPlan);
    Set(plan, 401, {config});
    products_->destroyed(config);
    return plan;
  }

  std::unique_ptr<CudnnProducts> products_ = std::make_unique<CudnnProducts>();

 private:
  std::vector<std::unique_ptr<char>> handles_;
};

TEST_F(CudnnProductsTest, OfAConvolutionWithWhatIsFusedIntoIt) {
  const void* const plan = Plan(Graph({Convolution(), Create(kPointwise)}));
  const CudnnProduct* const found = products_->of_plan(plan);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->m, 8u * 16 * 16);
  EXPECT_EQ(found->n, 128u);
  EXPECT_EQ(found->k, 64u * 3 * 3);
  EXPECT_EQ(found->batch, 1u);
  EXPECT_EQ(found->form, ProductForm::kConvolution);
  EXPECT_EQ(found->type, log::DataType::kBfloat16);
}

TEST_F(CudnnProductsTest, OfAttentionAreThoseOfItsParts) {
  const void* const scores =
      Operation(kMatmul, {{1520, {2, 4, 128, 64}}, {1521, {2, 4, 64, 256}}, {1522, {2, 4, 128, 256}}});
  const void* const output =
      Operation(kMatmul, {{1520, {2, 4, 128, 256}}, {1521, {2, 4, 256, 64}}, {1522, {2, 4, 128, 64}}});
  const CudnnProduct* const of_parts = products_->of_plan(Plan(Graph({scores, Create(kPointwise), output})));
  const void* const whole =
      Operation(kSdpa, {{2800, {2, 4, 128, 64}}, {2801, {2, 4, 256, 64}}, {2802, {2, 4, 256, 64}}});
  const CudnnProduct* const of_whole = products_->of_plan(Plan(Graph({whole})));
  for (const CudnnProduct* const found : {of_parts, of_whole}) {
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->form, ProductForm::kAttention);
    EXPECT_EQ(found->m, 128u);
    EXPECT_EQ(found->n, 256u);
    EXPECT_EQ(found->k, 64u + 64u);
    EXPECT_EQ(found->batch, 8u);
  }
}

TEST_F(CudnnProductsTest, AreForgottenWithThePlan) {
  const void* const plan = Plan(Graph({Convolution()}));
  products_->destroyed(plan);
  EXPECT_EQ(products_->of_plan(plan), nullptr);
}

TEST_F(CudnnProductsTest, OfAPlanFromATextAreNotKnown) {
  const void* const plan = Create(kPlan);
  const char text[] = "{}";
  products_->was_set(plan, 404, 24, sizeof text, text);
  EXPECT_EQ(products_->of_plan(plan), nullptr);
}

TEST_F(CudnnProductsTest, OfLengthsThatOnlyTheDeviceKnowsAreNotKnown) {
  const void* const ragged = Tensor({2, 4, 128, 64});
  Set(ragged, 913, {Tensor({3, 1, 1, 1})});
  const void* const attention = Operation(kSdpa, {{2801, {2, 4, 256, 64}}, {2802, {2, 4, 256, 64}}});
  Set(attention, 2800, {ragged});
  EXPECT_EQ(products_->of_plan(Plan(Graph({attention}))), nullptr);
  const void* const padded = Operation(
      kSdpa, {{2800, {2, 4, 128, 64}}, {2801, {2, 4, 256, 64}}, {2802, {2, 4, 256, 64}}, {2809, {2, 1, 1, 1}}});
  EXPECT_EQ(products_->of_plan(Plan(Graph({padded}))), nullptr);
}

// As many as a process that never ends makes, but not at once.
TEST_F(CudnnProductsTest, OfManyPlansOneAfterTheOtherAreKnown) {
  for (uint32_t i = 0; i < 4 * CudnnProducts::kMost; ++i) {
    const void* const handle = reinterpret_cast<const void*>(uintptr_t{64} * (i + 1));
    products_->created(handle, kPlan);
    products_->destroyed(handle);
  }
  EXPECT_NE(products_->of_plan(Plan(Graph({Convolution()}))), nullptr);
}

TEST_F(CudnnProductsTest, OfTooManyDescriptorsAtATimeAreNotKnown) {
  for (uint32_t i = 0; i < 2 * CudnnProducts::kMost; ++i)
    products_->created(reinterpret_cast<const void*>(uintptr_t{64} * (i + 1)), kPlan);
  EXPECT_EQ(products_->of_plan(Plan(Graph({Convolution()}))), nullptr);
}

}  // namespace
}  // namespace tauprof::capture
