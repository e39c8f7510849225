// The addresses of one device: a range that is reserved once and divided into allocations.
//
// Best fit, with neighbouring free blocks joined, so a freed address is soon handed out again. Only pages that hold an
// allocation can be accessed; small allocations share pages. Untouched pages cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace simgpu {

class DeviceArena {
 public:
  static constexpr std::size_t kAlignment = 512;

  // Reserves the addresses at the first use. Null: no room is left.
  void* allocate(std::size_t bytes, std::size_t capacity);
  void release(void* base, std::size_t bytes);

 private:
  void reserve(std::size_t bytes);
  void add_free(std::uintptr_t base, std::size_t bytes);
  void remove_free(std::uintptr_t base, std::size_t bytes);

  bool reserved_ = false;
  std::map<std::uintptr_t, std::size_t> free_by_address_;
  std::set<std::pair<std::size_t, std::uintptr_t>> free_by_size_;
};

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace simgpu
