// Kernels of PyTorch that write their results, because programs read them. Other kernels leave memory as it was.
#pragma once

#include <functional>

namespace simgpu {

// PyTorch's fills (torch.zeros, ones, full, fill_), which do write their results.
//
// They initialize flags and counters, and a program that reads a flag must find what it put there: GradScaler would
// skip steps if found_inf were neither 0 nor 1.
//
// Null if this is no such kernel or if it fills more than Config::data_bytes. Reads the arguments now.
std::function<void()> fill_kernel_effect(const char* mangled_name, void** arguments);

// PyTorch's kernels on a few 64-bit integers, and its concatenations. Like the fills, they do write their results.
//
// Collectives of Python objects on an NCCL group first exchange sizes, as tensors on the device, and compute with them
// there:
//
//     sizes = [5, 9]    sizes.max() -> 9, what every rank allocates    offset + sizes[0]    torch.cat of the bytes
//
// With a wrong size, a program would allocate nonsense or wait forever. So these are computed: the maximum, minimum and
// sum of a tensor; sums and comparisons of two tensors, or of a tensor and a number; concatenations. The number of
// non-zero elements is always zero: the kernel that made the tensor computed nothing, and an arbitrary size from memory
// (printing a tensor asks for one) would be refused as too large. Other kernels leave memory as it was.

struct Launch;

// Null if this is no such kernel or if it handles more than Config::data_bytes. Reads the arguments now, the operands
// when the kernel runs.
std::function<void()> size_kernel_effect(const Launch& launch);

}  // namespace simgpu
