#include "simgpu/engine/virtual_memory.h"

#include <sys/mman.h>

#include <map>

#include "simgpu/engine/call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/memory/memory_state.h"

namespace simgpu {
namespace {

constexpr int kReservedAddresses = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

struct Piece {
  int device = 0;
  std::size_t bytes = 0;
  int holds = 1;  // handles
  int mappings = 0;
};

struct Mapping {
  std::size_t bytes = 0;
  std::uint64_t piece = 0;
};

// All of this needs memory_lock().
struct State {
  std::map<std::uintptr_t, std::size_t> ranges;
  std::map<std::uintptr_t, Mapping> mappings;
  std::map<std::uint64_t, Piece> pieces;
  std::uint64_t last_piece = 0;
};

State& state() {
  static auto& instance = *new State;
  return instance;
}

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

bool is_granular(std::size_t bytes) { return bytes > 0 && bytes % kPieceGranularity == 0; }

bool lies_in_range(std::uintptr_t first, std::size_t bytes) {
  auto after = state().ranges.upper_bound(first);
  if (after == state().ranges.begin()) return false;
  const auto& [base, length] = *std::prev(after);
  return first + bytes <= base + length;
}

bool is_unmapped(std::uintptr_t first, std::size_t bytes) {
  const auto after = state().mappings.lower_bound(first + bytes);
  if (after == state().mappings.begin()) return true;
  const auto& [base, last] = *std::prev(after);
  return base + last.bytes <= first;
}

void drop_unused(std::map<std::uint64_t, Piece>::iterator piece) {
  if (piece->second.holds > 0 || piece->second.mappings > 0) return;
  give_back(device_memory(piece->second.device), nullptr, piece->second.bytes);
  state().pieces.erase(piece);
}

// The mapping at `first`, if mappings fill [first, first + bytes) without a gap.
std::map<std::uintptr_t, Mapping>::iterator find_whole_mappings(std::uintptr_t first, std::size_t bytes) {
  const auto begin = state().mappings.find(first);
  std::uintptr_t next = first;
  for (auto at = begin; at != state().mappings.end() && at->first == next && next < first + bytes; ++at) {
    next += at->second.bytes;
  }
  return next == first + bytes ? begin : state().mappings.end();
}

}  // namespace

cudaError_t reserve_addresses(std::size_t bytes, std::size_t alignment, void** out) {
  if (out == nullptr || !is_granular(bytes) || (alignment & (alignment - 1)) != 0) return cudaErrorInvalidValue;
  const std::size_t unit = alignment > kPieceGranularity ? alignment : kPieceGranularity;
  void* const got = mmap(nullptr, bytes + unit, PROT_NONE, kReservedAddresses, -1, 0);
  if (got == MAP_FAILED) return cudaErrorMemoryAllocation;
  const std::uintptr_t begin = number(got), base = round_up(begin, unit);
  if (base > begin) munmap(got, base - begin);
  if (begin + unit > base) munmap(reinterpret_cast<void*>(base + bytes), begin + unit - base);
  *out = reinterpret_cast<void*>(base);
  madvise(*out, bytes, MADV_DONTDUMP);
  const std::lock_guard guard(memory_lock());
  state().ranges[base] = bytes;
  return cudaSuccess;
}

cudaError_t free_addresses(void* base, std::size_t bytes) {
  const std::lock_guard guard(memory_lock());
  const auto range = state().ranges.find(number(base));
  if (range == state().ranges.end() || range->second != bytes) return cudaErrorInvalidValue;
  if (!is_unmapped(number(base), bytes)) return cudaErrorInvalidValue;
  state().ranges.erase(range);
  munmap(base, bytes);
  return cudaSuccess;
}

cudaError_t create_piece(int device, std::size_t bytes, std::uint64_t* out) {
  if (out == nullptr || !is_granular(bytes)) return cudaErrorInvalidValue;
  context_of(device);
  const std::lock_guard guard(memory_lock());
  if (!take_outside_pools(device_memory(device), device, bytes)) return cudaErrorMemoryAllocation;
  *out = ++state().last_piece;
  state().pieces[*out] = {.device = device, .bytes = bytes};
  return cudaSuccess;
}

cudaError_t release_piece(std::uint64_t piece) {
  const std::lock_guard guard(memory_lock());
  const auto found = state().pieces.find(piece);
  if (found == state().pieces.end() || found->second.holds == 0) return cudaErrorInvalidValue;
  --found->second.holds;
  drop_unused(found);
  return cudaSuccess;
}

std::optional<int> piece_device(std::uint64_t piece) {
  const std::lock_guard guard(memory_lock());
  const auto found = state().pieces.find(piece);
  if (found == state().pieces.end()) return std::nullopt;
  return found->second.device;
}

cudaError_t map_piece(void* address, std::size_t bytes, std::uint64_t piece) {
  const std::lock_guard guard(memory_lock());
  const auto found = state().pieces.find(piece);
  if (found == state().pieces.end() || found->second.bytes != bytes) return cudaErrorInvalidValue;
  if (!lies_in_range(number(address), bytes) || !is_unmapped(number(address), bytes)) return cudaErrorInvalidValue;
  ++found->second.mappings;
  state().mappings[number(address)] = {bytes, piece};
  hold({.base = address, .bytes = bytes, .device = found->second.device, .mapped = true});
  return cudaSuccess;
}

cudaError_t unmap_pieces(void* address, std::size_t bytes) {
  const std::lock_guard guard(memory_lock());
  auto mapping = find_whole_mappings(number(address), bytes);
  if (mapping == state().mappings.end()) return cudaErrorInvalidValue;
  while (mapping != state().mappings.end() && mapping->first < number(address) + bytes) {
    forget_mapped(reinterpret_cast<void*>(mapping->first));
    const auto piece = state().pieces.find(mapping->second.piece);
    --piece->second.mappings;
    drop_unused(piece);
    mapping = state().mappings.erase(mapping);
  }
  if (mmap(address, bytes, PROT_NONE, kReservedAddresses | MAP_FIXED, -1, 0) != MAP_FAILED) {
    madvise(address, bytes, MADV_DONTDUMP);
  }
  return cudaSuccess;
}

cudaError_t set_piece_access(void* address, std::size_t bytes, PieceAccess access) {
  const std::lock_guard guard(memory_lock());
  if (find_whole_mappings(number(address), bytes) == state().mappings.end()) return cudaErrorInvalidValue;
  const int protection = access == PieceAccess::None   ? PROT_NONE
                         : access == PieceAccess::Read ? PROT_READ
                                                       : PROT_READ | PROT_WRITE;
  return mprotect(address, bytes, protection) == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t retain_piece(const void* address, std::uint64_t* out) {
  const std::lock_guard guard(memory_lock());
  auto after = state().mappings.upper_bound(number(address));
  if (out == nullptr || after == state().mappings.begin()) return cudaErrorInvalidValue;
  const auto& [base, mapping] = *std::prev(after);
  if (number(address) >= base + mapping.bytes) return cudaErrorInvalidValue;
  ++state().pieces.at(mapping.piece).holds;
  *out = mapping.piece;
  return cudaSuccess;
}

}  // namespace simgpu
