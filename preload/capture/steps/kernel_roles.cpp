#include "capture/steps/kernel_roles.h"

#include <stdint.h>
#include <string.h>

#include <string_view>

#include "capture/calls/kernel_names.h"

namespace tauprof::capture {
namespace {

constexpr uint64_t kKnownKernels = 2048;

// The end of a file's name. "47_GLOBAL__N__1be0ce15_14_elementwise_cu_812ed586": 47 characters that name a file, for a
// kernel with internal linkage.
const char* past_file(const char* name, const char* marker) {
  const char* digits = marker;
  while (digits > name && digits[-1] >= '0' && digits[-1] <= '9') --digits;
  size_t length = 0;
  for (const char* at = digits; at < marker; ++at) length = length * 10 + static_cast<size_t>(*at - '0');
  const size_t left = strlen(marker);
  return marker + (length < left ? length : left);
}

// Whether the word occurs outside of the parts that name a file.
bool contains(const char* name, std::string_view word) {
  for (const char* start = name; *start != '\0';) {
    const char* const marker = strstr(start, "_GLOBAL__N_");
    const char* const end = marker != nullptr ? marker : start + strlen(start);
    if (std::string_view(start, static_cast<size_t>(end - start)).find(word) != std::string_view::npos) return true;
    start = marker != nullptr ? past_file(start, marker) : end;
  }
  return false;
}

}  // namespace

UpdateRole kernel_role(const char* mangled) {
  if (mangled == nullptr) return UpdateRole::kNone;
  return update_role_by([mangled](std::string_view word) { return contains(mangled, word); });
}

UpdateRole role_of_kernel(const void* kernel) {
  // An address and its role share one word. A second kernel in the same slot replaces the first.
  static uint64_t known[kKnownKernels];
  const auto address = reinterpret_cast<uint64_t>(kernel) & UINT64_MAX >> 8;
  uint64_t& slot = known[(address >> 4 ^ address >> 14) % kKnownKernels];
  const uint64_t before = __atomic_load_n(&slot, __ATOMIC_RELAXED);
  if (before >> 8 == address && address != 0) return static_cast<UpdateRole>(before & 0xFF);
  const UpdateRole role = kernel_role(kernel_names.find(kernel));
  __atomic_store_n(&slot, address << 8 | static_cast<uint64_t>(role), __ATOMIC_RELAXED);
  return role;
}

}  // namespace tauprof::capture
