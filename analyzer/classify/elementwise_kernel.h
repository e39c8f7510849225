// What the name of a PyTorch kernel that computes element by element says of the memory that it moves. The kernels are
// templates, whose arguments name the function, the number of tensors and, of most, the elements of a thread:
//
//   at::native::vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>>
//
// reads two tensors of bfloat16 and writes one. What a name leaves open (the type of a lambda's result, the types that
// a kernel converts, whether an input is the same for many elements) is left between two bounds. Two inputs that are
// one tensor count twice. Source: ATen/native/cuda/CUDALoops.cuh of github.com/pytorch/pytorch, versions 1.5 to 2.15.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tauprof {

struct ElementwiseKernel {
  struct Between {
    double least = 0, most = 0;
  };
  Between of_thread;  // elements
  Between bytes;      // read and written for an element
};

// Of vectorized kernels the name says how many elements a thread has only where a vector has eight, which came with a
// rule for all of them: eight to a thread, and sixteen where the kernel only writes and an element has one byte.
bool tells_elements_of_a_thread(std::string_view kernel_name);

// `by_that_rule`: some kernel of the process tells that (above). nullopt: another kernel.
std::optional<ElementwiseKernel> elementwise_kernel_of(std::string_view kernel_name, bool by_that_rule);

}  // namespace tauprof
