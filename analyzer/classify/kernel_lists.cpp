#include "classify/kernel_lists.h"

#include "classify/update_role.h"

namespace tauprof {
namespace {

template <class Words>
void append_patterns(const Words& words, std::vector<std::string>& patterns) {
  for (const std::string_view word : words) patterns.push_back("*" + std::string(word) + "*");
}

template <class... Words>
KernelList list_of(std::string_view name, const Words&... words) {
  KernelList list{name, {}};
  (append_patterns(words, list.patterns), ...);
  return list;
}

// Kernels over lists of tensors that clear them.
KernelList clearing_list() {
  KernelList list{"@clearing", {}};
  for (const std::string_view over_lists : update_words::kList)
    for (const std::string_view clears : update_words::kClearing)
      list.patterns.push_back("*" + std::string(over_lists) + "*" + std::string(clears) + "*");
  return list;
}

}  // namespace

const std::vector<KernelList>& kernel_lists() {
  using namespace update_words;
  static const std::vector<KernelList> lists = {list_of("@loss_scale", kScale),
                                                list_of("@clipping", kClipping, kGlobalNorm),
                                                list_of("@list_norm", kListNorm),
                                                list_of("@unscale", kUnscale),
                                                list_of("@clip_factor", kClipFactor),
                                                list_of("@list", kList),
                                                clearing_list()};
  return lists;
}

}  // namespace tauprof
