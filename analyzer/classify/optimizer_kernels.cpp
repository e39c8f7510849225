#include "classify/optimizer_kernels.h"

#include <algorithm>
#include <array>

namespace tauprof {
namespace {

using std::string_view;

constexpr std::array kOptimizer = {
    string_view("FusedAdam"),
    string_view("FusedSgd"),
    string_view("FusedAdagrad"),
    string_view("AdamFunctor"),
    string_view("SGDFunctor"),
    string_view("LAMBFunctor"),
    string_view("LAMBStage"),
    string_view("AdagradFunctor"),
    string_view("multi_tensor_adam"),
    string_view("multi_tensor_sgd"),
    string_view("multi_tensor_lamb"),
    string_view("optim_step"),
    string_view("adam_cuda"),
    string_view("adamw"),
    string_view("AdamW"),
    string_view("optimizer"),
    string_view("lion_"),
    string_view("NovoGradFunctor"),
    string_view("adam_kernel"),
    string_view("adam_step"),
    string_view("adam_update"),
    string_view("sgd_kernel"),
    string_view("sgd_step"),
    string_view("sgd_update"),
};

constexpr std::array kClipping = {
    string_view("LpNormFunctor"),
    string_view("lpnorm_cleanup"),
    string_view("L2NormFunctor"),
    string_view("multi_tensor_l2norm"),
    string_view("amp_foreach_non_finite_check_and_unscale"),
    string_view("amp_non_finite_check_and_unscale"),
    string_view("amp_update_scale"),
    string_view("clip_grad"),
    string_view("grad_norm"),
};

template <class Rules>
bool contains_any(string_view name, const Rules& rules) {
  return std::any_of(rules.begin(), rules.end(), [&](string_view rule) { return name.find(rule) != name.npos; });
}

}  // namespace

bool is_optimizer_kernel(string_view name) { return contains_any(name, kOptimizer); }
bool is_clipping_kernel(string_view name) { return contains_any(name, kClipping); }

}  // namespace tauprof
