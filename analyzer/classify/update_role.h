// A kernel's part in an update of the model, by its name. The words are in update_kernels.def.
#pragma once

#include <cstdint>
#include <string_view>

namespace tauprof {

enum class UpdateRole : uint8_t { kNone, kUpdate, kScale, kClipping, kList, kClearing };

namespace update_words {

inline constexpr std::string_view kUpdate[] = {
#define TAUPROF_UPDATE_KERNEL(word) word,
#include "classify/update_kernels.def"
};

inline constexpr std::string_view kScale[] = {
#define TAUPROF_SCALE_KERNEL(word) word,
#include "classify/update_kernels.def"
};

inline constexpr std::string_view kClipping[] = {
#define TAUPROF_CLIPPING_KERNEL(word) word,
#include "classify/update_kernels.def"
};

inline constexpr std::string_view kListNorm[] = {
#define TAUPROF_LIST_NORM_KERNEL(word) word,
#include "classify/update_kernels.def"
};

inline constexpr std::string_view kUnscale[] = {
#define TAUPROF_UNSCALE_KERNEL(word) word,
#include "classify/update_kernels.def"
};

inline constexpr std::string_view kClipFactor[] = {
#define TAUPROF_CLIP_FACTOR_KERNEL(word) word,
#include "classify/update_kernels.def"
};

inline constexpr std::string_view kGlobalNorm[] = {
#define TAUPROF_GLOBAL_NORM_KERNEL(word) word,
#include "classify/update_kernels.def"
};

inline constexpr std::string_view kTensorNorm[] = {
#define TAUPROF_TENSOR_NORM_KERNEL(word) word,
#include "classify/update_kernels.def"
};

inline constexpr std::string_view kList[] = {
#define TAUPROF_LIST_KERNEL(word) word,
#include "classify/update_kernels.def"
};

inline constexpr std::string_view kClearing[] = {
#define TAUPROF_CLEARING_KERNEL(word) word,
#include "classify/update_kernels.def"
};

inline constexpr std::string_view kPacking[] = {
#define TAUPROF_PACKING_KERNEL(word) word,
#include "classify/update_kernels.def"
};

// `contains` says whether a word occurs in the name.
template <class Words, class Contains>
bool has_any(const Words& words, const Contains& contains) {
  for (const std::string_view word : words)
    if (contains(word)) return true;
  return false;
}

}  // namespace update_words

// The first role, in this order, with a word in the name.
template <class Contains>
UpdateRole update_role_by(const Contains& contains) {
  using namespace update_words;
  if (has_any(kUpdate, contains)) return UpdateRole::kUpdate;
  if (has_any(kScale, contains)) return UpdateRole::kScale;
  if (has_any(kClipping, contains) || has_any(kClipFactor, contains)) return UpdateRole::kClipping;
  if (!has_any(kList, contains) || has_any(kPacking, contains)) return UpdateRole::kNone;
  return has_any(kClearing, contains) ? UpdateRole::kClearing : UpdateRole::kList;
}

}  // namespace tauprof
