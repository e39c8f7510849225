// Handles, tensors of the older interface, batch normalisation, and functions that are not simulated.
#include <array>

#include "cudnn_client.h"

namespace cudnn_test {
namespace {

using Shape = std::array<int, 4>;

class Tensor {
 public:
  explicit Tensor(const Shape& shape) {
    const Shape strides{shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3], 1};
    EXPECT_EQ(cudnnCreateTensorDescriptor(&pointer_), kSuccess);
    EXPECT_EQ(cudnnSetTensorNdDescriptor(pointer_, 0, 4, shape.data(), strides.data()), kSuccess);
  }
  ~Tensor() { EXPECT_EQ(cudnnDestroyTensorDescriptor(pointer_), kSuccess); }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  const void* pointer() const { return pointer_; }

 private:
  void* pointer_ = nullptr;
};

TEST_F(CudnnTest, AHandleIsOneUntilItIsDestroyed) {
  void* other = nullptr;
  ASSERT_EQ(cudnnCreate(&other), kSuccess);
  EXPECT_EQ(cudnnSetStream(other, stream_), kSuccess);
  EXPECT_EQ(cudnnDestroy(other), kSuccess);
  EXPECT_NE(cudnnSetStream(other, stream_), kSuccess);
  EXPECT_GE(cudnnGetVersion(), 90000u);
  EXPECT_STREQ(cudnnGetErrorString(kNotSupported), "CUDNN_STATUS_NOT_SUPPORTED");
}

TEST_F(CudnnTest, ATensorTellsWhatItWasGiven) {
  const Tensor tensor({2, 3, 5, 7});
  int type = -1, count = 0;
  Shape shape{}, strides{};
  EXPECT_EQ(cudnnGetTensorNdDescriptor(tensor.pointer(), 4, &type, &count, shape.data(), strides.data()), kSuccess);
  EXPECT_EQ(count, 4);
  EXPECT_EQ(shape, (Shape{2, 3, 5, 7}));
  EXPECT_EQ(strides, (Shape{105, 35, 7, 1}));
}

TEST_F(CudnnTest, BatchNormalisationStreamsThroughItsTensor) {
  const auto normalise = [&](int images) {
    const Tensor x({images, 64, 64, 64});
    return milliseconds([&] {
      EXPECT_EQ(cudnnBatchNormalizationForwardTrainingEx(handle_, 1, 0, nullptr, nullptr, x.pointer(), nullptr, nullptr,
                                                         nullptr, x.pointer(), nullptr, nullptr, nullptr, nullptr, 0.1,
                                                         nullptr, nullptr, 1e-5, nullptr, nullptr, nullptr, nullptr, 0,
                                                         nullptr, 0),
                kSuccess);
    });
  };
  EXPECT_NEAR(2, normalise(1024) / normalise(512), 0.3);
}

TEST_F(CudnnTest, WhatIsNotServedSaysSo) { EXPECT_EQ(cudnnRNNForward(), kNotSupported); }

}  // namespace
}  // namespace cudnn_test
