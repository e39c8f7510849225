#include "classify/optimizer_kernels.h"

namespace tauprof {
namespace {

using std::string_view;

auto words_in(string_view name) {
  return [name](string_view word) { return name.find(word) != name.npos; };
}

}  // namespace

bool is_optimizer_kernel(string_view name) { return update_words::has_any(update_words::kUpdate, words_in(name)); }
bool is_tensor_norm_kernel(string_view name) {
  return update_words::has_any(update_words::kTensorNorm, words_in(name));
}
UpdateRole update_role(string_view name) { return update_role_by(words_in(name)); }

}  // namespace tauprof
