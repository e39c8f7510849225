#include "phases/kernel_parts.h"

#include "classify/update_role.h"
#include "model/lower_case.h"

namespace tauprof {
namespace {

// In lower case.
constexpr std::string_view kBackwardWords[] = {"backward", "bwd", "bprop", "dgrad", "wgrad"};
constexpr std::string_view kLossWords[] = {"cross_entropy", "classifier"};
constexpr std::string_view kForwardWords[] = {"forward", "fwd", "fprop"};

KernelPart part_of_update(std::string_view name) {
  using namespace update_words;
  const auto contains = [name](std::string_view word) { return name.find(word) != name.npos; };
  if (has_any(kListNorm, contains)) return KernelPart::kListNorm;
  if (has_any(kGlobalNorm, contains)) return KernelPart::kClipping;
  if (has_any(kClipFactor, contains)) return KernelPart::kClipFactor;
  switch (update_role_by(contains)) {
    case UpdateRole::kUpdate:
    case UpdateRole::kScale:
      return KernelPart::kUpdate;
    case UpdateRole::kClipping:
      return KernelPart::kClipping;
    case UpdateRole::kList:
      return KernelPart::kList;
    case UpdateRole::kClearing:
      return KernelPart::kClearing;
    case UpdateRole::kNone:
      return KernelPart::kNone;
  }
  return KernelPart::kNone;
}

}  // namespace

KernelPart kernel_part(std::string_view name) {
  if (const KernelPart part = part_of_update(name); part != KernelPart::kNone) return part;
  const std::string lower = lower_case(name);
  const auto contains = [&lower](std::string_view word) { return lower.find(word) != lower.npos; };
  if (update_words::has_any(kBackwardWords, contains)) return KernelPart::kBackward;
  if (update_words::has_any(kLossWords, contains)) return KernelPart::kLoss;
  return update_words::has_any(kForwardWords, contains) ? KernelPart::kForward : KernelPart::kNone;
}

}  // namespace tauprof
