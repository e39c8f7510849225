// PyTorch's fills (torch.zeros, ones, full, fill_), which do write their results.
//
// They initialize flags and counters, and a program that reads a flag must find what it put there: GradScaler would
// skip steps if found_inf were neither 0 nor 1. Other kernels leave memory as it was (but see size_kernels.h).
#pragma once

#include <functional>

namespace simgpu {

// Null if this is no such kernel or if it fills more than Config::data_bytes. Reads the arguments now.
std::function<void()> fill_kernel_effect(const char* mangled_name, void** arguments);

}  // namespace simgpu
