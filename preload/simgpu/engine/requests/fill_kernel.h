// The one kind of kernel that leaves its results behind: PyTorch's fills (torch.zeros, ones, full, fill_).
//
// Flags and counters are made by them, and a program that asks for one that no other kernel has touched must find what
// it put there: GradScaler would skip steps for a found_inf that is neither 0 nor 1. All other results stay what the
// memory held before.
#pragma once

#include <functional>

namespace simgpu {

// Null: this is no such kernel, or it fills more than Config::data_bytes. The arguments are read now.
std::function<void()> fill_kernel_effect(const char* mangled_name, void** arguments);

}  // namespace simgpu
