// PyTorch's kernels on a few 64-bit integers, and its concatenations: they leave their results behind, as its fills do.
//
// Collectives of Python objects on an NCCL group send sizes first, as tensors on the device, and compute with them
// there:
//
//     sizes = [5, 9]    sizes.max() -> 9, what every rank allocates    offset + sizes[0]    torch.cat of the bytes
//
// A program that got another size would allocate nonsense or wait for ever. So these are computed: the largest, the
// smallest, the sum of a tensor; sums and comparisons of two tensors, or of one and a number; tensors put behind each
// other. How many elements of a tensor are not zero is always answered with none: what made the tensor computed nothing,
// and a size that happens to lie in memory (printing a tensor asks for one) would be refused as too large. All other
// results stay what the memory held before.
#pragma once

#include <functional>

namespace simgpu {

struct Launch;

// Null: this is no such kernel, or it computes with more than Config::data_bytes. The arguments are read now, the
// operands when the kernel runs.
std::function<void()> size_kernel_effect(const Launch& launch);

}  // namespace simgpu
