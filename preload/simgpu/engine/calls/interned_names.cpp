// Texts that live as long as the process, one copy of each.
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_set>

#include "simgpu/engine/call.h"

namespace simgpu {

const char* interned_name(const char* text) {
  // A forked child may have been born while another thread held the lock. Nothing compares names there.
  if (is_forked_child()) return strdup(text);
  static std::mutex lock;
  static auto& names = *new std::unordered_set<std::string>;
  const std::lock_guard guard(lock);
  return names.emplace(text).first->c_str();
}

}  // namespace simgpu
