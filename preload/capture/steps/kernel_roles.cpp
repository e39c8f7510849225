#include "capture/steps/kernel_roles.h"

#include <string.h>

namespace tauprof::capture {
namespace {

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

constexpr const char* kPackingWords[] = {
#define TAUPROF_PACKING_KERNEL(word) word,
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

KernelRole kernel_role(const char* mangled) {
  if (mangled == nullptr) return KernelRole::kOther;
  if (contains_any(mangled, kUpdateWords)) return KernelRole::kUpdate;
  if (contains_any(mangled, kClippingWords)) return KernelRole::kNearUpdate;
  const bool is_list = contains_any(mangled, kListWords) && !contains_any(mangled, kPackingWords);
  return is_list ? KernelRole::kNearUpdate : KernelRole::kOther;
}

}  // namespace tauprof::capture
