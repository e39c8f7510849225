// Handles that a program holds: opaque numbers that are never dereferenced, so a stale or foreign handle is detected.
// The number of a destroyed object is reused for the next one, like the addresses of a real driver.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace simgpu {

template <typename Object>
class HandleTable {
 public:
  // `base` distinguishes kinds of handles; it must be a multiple of 4096.
  explicit HandleTable(std::uintptr_t base) : base_(base) {}

  template <typename Handle>
  Handle insert(std::shared_ptr<Object> object) {
    std::uintptr_t value = 0;
    if (free_.empty()) {
      value = base_ + 16 * (++last_);
    } else {
      value = free_.back();
      free_.pop_back();
    }
    objects_[value] = std::move(object);
    return reinterpret_cast<Handle>(value);
  }

  std::shared_ptr<Object> find(const void* handle) const {
    const auto found = objects_.find(reinterpret_cast<std::uintptr_t>(handle));
    return found == objects_.end() ? nullptr : found->second;
  }

  // Null: no such object.
  std::shared_ptr<Object> remove(const void* handle) {
    const auto found = objects_.find(reinterpret_cast<std::uintptr_t>(handle));
    if (found == objects_.end()) return nullptr;
    auto object = std::move(found->second);
    free_.push_back(found->first);
    objects_.erase(found);
    return object;
  }

  const std::unordered_map<std::uintptr_t, std::shared_ptr<Object>>& all() const { return objects_; }

 private:
  std::uintptr_t base_;
  std::uintptr_t last_ = 0;
  std::vector<std::uintptr_t> free_;
  std::unordered_map<std::uintptr_t, std::shared_ptr<Object>> objects_;
};

}  // namespace simgpu
