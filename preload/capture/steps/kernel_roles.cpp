#include "capture/steps/kernel_roles.h"

#include <string.h>

namespace tauprof::capture {
namespace {

constexpr const char* kUpdateWords[] = {"FusedAdam",
                                        "FusedSgd",
                                        "FusedAdagrad",
                                        "AdamFunctor",
                                        "SGDFunctor",
                                        "LAMBFunctor",
                                        "LAMBStage",
                                        "AdagradFunctor",
                                        "multi_tensor_adam",
                                        "multi_tensor_sgd",
                                        "multi_tensor_lamb",
                                        "optim_step",
                                        "adam_cuda",
                                        "adamw",
                                        "AdamW",
                                        "optimizer",
                                        "lion_",
                                        "NovoGradFunctor",
                                        "adam_kernel",
                                        "adam_step",
                                        "adam_update",
                                        "sgd_kernel",
                                        "sgd_step",
                                        "sgd_update"};

constexpr const char* kNearUpdateWords[] = {"multi_tensor_apply_kernel",
                                            "LpNormFunctor",
                                            "lpnorm_cleanup",
                                            "L2NormFunctor",
                                            "multi_tensor_l2norm",
                                            "amp_foreach_non_finite_check_and_unscale",
                                            "amp_non_finite_check_and_unscale",
                                            "amp_update_scale",
                                            "clip_grad",
                                            "grad_norm"};

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
  return contains_any(mangled, kNearUpdateWords) ? KernelRole::kNearUpdate : KernelRole::kOther;
}

}  // namespace tauprof::capture
