#include "classify/optimizer_kernels.h"

#include <algorithm>
#include <array>

namespace tauprof {
namespace {

using std::string_view;

constexpr std::array kOptimizer = {
#define TAUPROF_UPDATE_KERNEL(word) string_view(word),
#include "log/update_kernels.def"
};

constexpr std::array kClipping = {
#define TAUPROF_CLIPPING_KERNEL(word) string_view(word),
#include "log/update_kernels.def"
};

constexpr std::array kLists = {
#define TAUPROF_LIST_KERNEL(word) string_view(word),
#include "log/update_kernels.def"
};

constexpr std::array kClearing = {
#define TAUPROF_CLEARING_KERNEL(word) string_view(word),
#include "log/update_kernels.def"
};

constexpr std::array kPacking = {
#define TAUPROF_PACKING_KERNEL(word) string_view(word),
#include "log/update_kernels.def"
};

constexpr std::array kScale = {
#define TAUPROF_SCALE_KERNEL(word) string_view(word),
#include "log/update_kernels.def"
};

template <class Rules>
bool contains_any(string_view name, const Rules& rules) {
  return std::any_of(rules.begin(), rules.end(), [&](string_view rule) { return name.find(rule) != name.npos; });
}

}  // namespace

bool is_optimizer_kernel(string_view name) { return contains_any(name, kOptimizer); }
bool is_clipping_kernel(string_view name) { return contains_any(name, kClipping); }

UpdateRole update_role(string_view name) {
  if (is_optimizer_kernel(name)) return UpdateRole::kUpdate;
  if (contains_any(name, kScale)) return UpdateRole::kScale;
  if (is_clipping_kernel(name)) return UpdateRole::kClipping;
  if (!contains_any(name, kLists) || contains_any(name, kPacking)) return UpdateRole::kNone;
  return contains_any(name, kClearing) ? UpdateRole::kClearing : UpdateRole::kList;
}

}  // namespace tauprof
