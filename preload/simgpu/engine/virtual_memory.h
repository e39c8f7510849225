// Addresses and memory apart: ranges of addresses are reserved, pieces of a device's memory are made, and the pieces
// are mapped into the ranges (cuMemAddressReserve, cuMemCreate, cuMemMap). How PyTorch's expandable segments grow.
//
// A mapped piece is an Allocation like others, but only unmapping ends it. Pieces that lie side by side on one device
// are found as one. What is simulated is the bookkeeping: a piece that is mapped at two addresses is two memories.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "simgpu/engine/visibility.h"

namespace simgpu {

constexpr std::size_t kPieceGranularity = 2 << 20;

SIMGPU_API cudaError_t reserve_addresses(std::size_t bytes, std::size_t alignment, void** out);
// All of a range, in which nothing is mapped.
SIMGPU_API cudaError_t free_addresses(void* base, std::size_t bytes);

SIMGPU_API cudaError_t create_piece(int device, std::size_t bytes, std::uint64_t* out);
// The memory is the device's again once nothing has it mapped.
SIMGPU_API cudaError_t release_piece(std::uint64_t piece);
// Of which device it is; nullopt: there is no such piece.
SIMGPU_API std::optional<int> piece_device(std::uint64_t piece);

// Maps all of a piece. Nothing may touch it before set_piece_access.
SIMGPU_API cudaError_t map_piece(void* address, std::size_t bytes, std::uint64_t piece);
// Whole mappings only.
SIMGPU_API cudaError_t unmap_pieces(void* address, std::size_t bytes);
enum class PieceAccess { None, Read, ReadWrite };
SIMGPU_API cudaError_t set_piece_access(void* address, std::size_t bytes, PieceAccess access);
// The piece that is mapped at an address, with one more hold on it: to be released like a new one.
SIMGPU_API cudaError_t retain_piece(const void* address, std::uint64_t* out);

}  // namespace simgpu
