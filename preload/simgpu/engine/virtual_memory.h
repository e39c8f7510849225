// Virtual memory: a program reserves ranges of addresses, creates pieces of a device's memory, and maps the pieces into
// the ranges (cuMemAddressReserve, cuMemCreate, cuMemMap). PyTorch's expandable segments grow this way.
//
// A mapped piece is an Allocation like any other, except that only unmapping ends it. Adjacent pieces on one device are
// found as one allocation. Only the bookkeeping is simulated: a piece that is mapped at two addresses is two memories.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "simgpu/engine/visibility.h"

namespace simgpu {

constexpr std::size_t kPieceGranularity = 2 << 20;

SIMGPU_API cudaError_t reserve_addresses(std::size_t bytes, std::size_t alignment, void** out);
// Frees a whole range, in which nothing may be mapped.
SIMGPU_API cudaError_t free_addresses(void* base, std::size_t bytes);

SIMGPU_API cudaError_t create_piece(int device, std::size_t bytes, std::uint64_t* out);
// The memory returns to the device when nothing maps it any more.
SIMGPU_API cudaError_t release_piece(std::uint64_t piece);
// The device of a piece; nullopt: no such piece.
SIMGPU_API std::optional<int> piece_device(std::uint64_t piece);

// Maps a whole piece. Nothing may access it before set_piece_access.
SIMGPU_API cudaError_t map_piece(void* address, std::size_t bytes, std::uint64_t piece);
// Whole mappings only.
SIMGPU_API cudaError_t unmap_pieces(void* address, std::size_t bytes);
enum class PieceAccess { None, Read, ReadWrite };
SIMGPU_API cudaError_t set_piece_access(void* address, std::size_t bytes, PieceAccess access);
// The piece that is mapped at an address. The caller gets a reference and must release it like that of a new piece.
SIMGPU_API cudaError_t retain_piece(const void* address, std::uint64_t* out);

}  // namespace simgpu
