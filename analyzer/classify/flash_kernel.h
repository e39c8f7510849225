// What the name of a kernel of FlashAttention 2 says of its work. PyTorch has a copy of that library, as flash_attn has.
// The kernels are templates, so their tiles, the width of a head and whether lengths fill the tiles are in the name:
//
//   void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4, …, cutlass::bfloat16_t, …>,
//                                        dropout, causal, local, alibi, even lengths, even width, …>(…)
//
// Source: flash_fwd_launch_template.h and flash_bwd_launch_template.h of github.com/Dao-AILab/flash-attention, from
// version 2.4 on.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "log/format.h"

namespace tauprof {

struct FlashKernel {
  // kPreparation: of a backward pass, before its kGradients; it multiplies no matrices.
  enum class Pass : uint8_t { kForward, kPreparation, kGradients };
  Pass pass = Pass::kForward;
  int64_t width = 0;           // of a head, as the kernel is compiled for it
  int64_t queries = 0;         // of a tile
  int64_t keys = 0;            // of a tile
  bool is_exact = false;       // heads have that width, and the lengths of queries and keys are multiples of the tiles'
  bool has_own_tiles = false;  // kPreparation: each block of its gradients' kernel has a tile of keys to itself
  log::DataType type = log::DataType::kUnknown;
};

// nullopt: another kernel.
std::optional<FlashKernel> flash_kernel_of(std::string_view name);

}  // namespace tauprof
