// Texts that live as long as the process, each stored once.
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_set>

#include "simgpu/engine/call.h"

namespace simgpu {

const char* interned_name(const char* text) {
  // Another thread may have held the lock when a child was forked. Nothing compares names in a child.
  if (is_forked_child()) return strdup(text);
  static std::mutex lock;
  static auto& names = *new std::unordered_set<std::string>;
  const std::lock_guard guard(lock);
  return names.emplace(text).first->c_str();
}

}  // namespace simgpu
