// What names of PyTorch's elementwise kernels say. The names are of PyTorch 2.11 on an H200 and of older recordings.
#include "classify/elementwise_kernel.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

constexpr bool kByTheRule = true;

// "elements of a thread, bytes of an element", each one number or two.
std::string told(std::string_view name, bool by_the_rule = kByTheRule) {
  const std::optional<ElementwiseKernel> kernel = elementwise_kernel_of(name, by_the_rule);
  if (!kernel) return "unknown";
  const auto text = [](const ElementwiseKernel::Between& between) {
    const std::string least = std::to_string(static_cast<int>(between.least));
    return between.least == between.most ? least : least + "-" + std::to_string(static_cast<int>(between.most));
  };
  return text(kernel->of_thread) + ", " + text(kernel->bytes);
}

constexpr std::string_view kSumOfFloats =
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >"
    "(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)";

TEST(ElementwiseKernel, OfAFunctorHasItsTypes) {
  EXPECT_EQ(told(kSumOfFloats), "8, 12");
  EXPECT_EQ(told("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, "
                 "1ul> >(int)"),
            "8, 4");
  EXPECT_EQ(told("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<bool>, std::array<char*, "
                 "1ul> >(int)"),
            "16, 1");
  EXPECT_EQ(told("void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<float, float, bool, "
                 "at::native::(anonymous namespace)::CompareFunctor<float> >, std::array<char*, 3ul> >(int)"),
            "8, 9");
  EXPECT_EQ(told("void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<float, float, float, "
                 "at::native::binary_internal::MulFunctor<float> >, at::detail::Array<char*, 2> >(int)"),
            "8, 8");
}

TEST(ElementwiseKernel, LeavesOpenHowManyElementsAThreadHasWithoutAVectorOfEight) {
  EXPECT_EQ(told(kSumOfFloats, !kByTheRule), "4-8, 12");
  EXPECT_FALSE(tells_elements_of_a_thread(kSumOfFloats));
}

TEST(ElementwiseKernel, OfAVectorOfEightHasAResultOfTwoBytes) {
  constexpr std::string_view kGelu =
      "void at::native::vectorized_elementwise_kernel<8, "
      "at::native::GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&, "
      "at::native::GeluType)::{lambda()#2}::operator()() const::{lambda()#4}::operator()() "
      "const::{lambda(c10::BFloat16, "
      "c10::BFloat16)#1}, std::array<char*, 3ul> >(int)";
  EXPECT_TRUE(tells_elements_of_a_thread(kGelu));
  EXPECT_EQ(told(kGelu), "8, 6");
  EXPECT_EQ(told("void at::native::vectorized_elementwise_kernel<8, "
                 "at::native::bfloat16_copy_kernel_cuda(at::TensorIteratorBase&)"
                 "::[lambda(float) (instance 1)], std::array<char *, 2> >(int)"),
            "8, 6");
}

TEST(ElementwiseKernel, DoesNotGuessWhatALambdaReturns) {
  EXPECT_EQ(told("void at::native::vectorized_elementwise_kernel<4, at::native::f()::{lambda(float)#1}, "
                 "std::array<char*, 2ul> >(int)"),
            "8, 5-12");
}

TEST(ElementwiseKernel, ThatConvertsTypesHasAnyTypes) {
  const std::string functor = "at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>, ";
  const std::string calculators =
      "TrivialOffsetCalculator<2, unsigned int>, TrivialOffsetCalculator<1, unsigned int>, ";
  const std::string name = "void at::native::unrolled_elementwise_kernel<" + functor;
  EXPECT_EQ(told(name + "4, " + calculators +
                 "at::native::memory::LoadWithCast<2>, at::native::memory::StoreWithCast<1> >(int)"),
            "4, 3-48");
  EXPECT_EQ(
      told(name + calculators + "at::native::memory::LoadWithoutCast, at::native::memory::StoreWithoutCast>(int)"),
      "4, 12");
}

TEST(ElementwiseKernel, WithStridesMayReadAnInputOnce) {
  EXPECT_EQ(told("void at::native::elementwise_kernel<128, 2, "
                 "at::native::gpu_kernel_impl_nocast<at::native::CUDAFunctor_add<float> >"
                 "(at::TensorIteratorBase&, at::native::CUDAFunctor_add<float> const&)::{lambda(int)#1}>(int)"),
            "2, 4-12");
}

TEST(ElementwiseKernel, IsUnknownWhereItsNameIsNot) {
  EXPECT_EQ(told("void at::native::vectorized_elementwise_kernel<4, at::native::Unheard<float>, std::array<char*, 2ul> "
                 ">(int)"),
            "unknown");
  EXPECT_EQ(told("void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
                 "std::array<char*, 2ul> >(int)"),
            "unknown");
  EXPECT_EQ(told("void at::native::vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<float>, "
                 "std::array<char*, 3ul>, true>(int)"),
            "unknown");
  EXPECT_EQ(told("void at::native::vectorized_elementwise_kernel<"), "unknown");
  EXPECT_EQ(told("my_elementwise_kernel<4>(int)"), "unknown");
  EXPECT_EQ(told(""), "unknown");
}

}  // namespace
}  // namespace tauprof
