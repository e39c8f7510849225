#include "capture/steps/kernel_roles.h"

#include <stdint.h>
#include <string.h>

#include "capture/calls/kernel_names.h"

namespace tauprof::capture {
namespace {

constexpr uint64_t kKnownKernels = 2048;

constexpr const char* kUpdateWords[] = {
#define TAUPROF_UPDATE_KERNEL(word) word,
#include "log/update_kernels.def"
};

constexpr const char* kClippingWords[] = {
#define TAUPROF_CLIPPING_KERNEL(word) word,
#include "log/update_kernels.def"
};

constexpr const char* kListWords[] = {
#define TAUPROF_LIST_KERNEL(word) word,
#include "log/update_kernels.def"
};

constexpr const char* kClearingWords[] = {
#define TAUPROF_CLEARING_KERNEL(word) word,
#include "log/update_kernels.def"
};

constexpr const char* kPackingWords[] = {
#define TAUPROF_PACKING_KERNEL(word) word,
#include "log/update_kernels.def"
};

constexpr const char* kScaleWords[] = {
#define TAUPROF_SCALE_KERNEL(word) word,
#include "log/update_kernels.def"
};

// Of names without linkage: "47_GLOBAL__N__1be0ce15_14_elementwise_cu_812ed586" is 47 characters that name a file.
const char* past_file(const char* name, const char* marker) {
  const char* digits = marker;
  while (digits > name && digits[-1] >= '0' && digits[-1] <= '9') --digits;
  size_t length = 0;
  for (const char* at = digits; at < marker; ++at) length = length * 10 + static_cast<size_t>(*at - '0');
  const size_t left = strlen(marker);
  return marker + (length < left ? length : left);
}

bool contains(const char* begin, const char* end, const char* word) {
  const char* const found = strstr(begin, word);
  return found != nullptr && found + strlen(word) <= end;
}

template <size_t kCount>
bool contains_any(const char* name, const char* const (&words)[kCount]) {
  for (const char* begin = name; *begin != '\0';) {
    const char* const marker = strstr(begin, "_GLOBAL__N_");
    const char* const end = marker != nullptr ? marker : begin + strlen(begin);
    for (const char* word : words)
      if (contains(begin, end, word)) return true;
    begin = marker != nullptr ? past_file(begin, marker) : end;
  }
  return false;
}

}  // namespace

UpdateRole kernel_role(const char* mangled) {
  if (mangled == nullptr) return UpdateRole::kNone;
  if (contains_any(mangled, kUpdateWords)) return UpdateRole::kUpdate;
  if (contains_any(mangled, kScaleWords)) return UpdateRole::kScale;
  if (contains_any(mangled, kClippingWords)) return UpdateRole::kClipping;
  if (!contains_any(mangled, kListWords) || contains_any(mangled, kPackingWords)) return UpdateRole::kNone;
  return contains_any(mangled, kClearingWords) ? UpdateRole::kClearing : UpdateRole::kList;
}

UpdateRole role_of_kernel(const void* kernel) {
  // An address and the role behind it, which fit into one word; what falls on the same place is looked at again.
  static uint64_t known[kKnownKernels];
  const auto address = reinterpret_cast<uint64_t>(kernel) & UINT64_MAX >> 8;
  uint64_t& place = known[(address >> 4 ^ address >> 14) % kKnownKernels];
  const uint64_t before = __atomic_load_n(&place, __ATOMIC_RELAXED);
  if (before >> 8 == address && address != 0) return static_cast<UpdateRole>(before & 0xFF);
  const UpdateRole role = kernel_role(kernel_names.find(kernel));
  __atomic_store_n(&place, address << 8 | static_cast<uint64_t>(role), __ATOMIC_RELAXED);
  return role;
}

}  // namespace tauprof::capture
