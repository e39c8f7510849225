#include "phases/range_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace tauprof {
namespace {

struct Rule {
  std::string_view text;  // found anywhere in the lower-case name
  Phase phase;
};

// The first rule that fits decides: names of parts stand before the wholes that their names contain.
constexpr std::array kRules = {
    Rule{"zero_grad", Phase::kZeroGradSched},
    Rule{"lr_scheduler", Phase::kZeroGradSched},
    Rule{"lr_sched", Phase::kZeroGradSched},
    Rule{"scheduler.step", Phase::kZeroGradSched},
    Rule{"scheduler_step", Phase::kZeroGradSched},
    Rule{"unscale", Phase::kUnscaleClip},
    Rule{"clip_grad", Phase::kUnscaleClip},
    Rule{"gradient_clip", Phase::kUnscaleClip},
    Rule{"grad_clip", Phase::kUnscaleClip},
    Rule{"grad_norm", Phase::kUnscaleClip},
    Rule{"dataloader", Phase::kDataloadWait},
    Rule{"data_loader", Phase::kDataloadWait},
    Rule{"dataload", Phase::kDataloadWait},
    Rule{"data_wait", Phase::kDataloadWait},
    Rule{"load_batch", Phase::kDataloadWait},
    Rule{"next_batch", Phase::kDataloadWait},
    Rule{"get_batch", Phase::kDataloadWait},
    Rule{"fetch_batch", Phase::kDataloadWait},
    Rule{"data-wait", Phase::kDataloadWait},
    Rule{"batch_fetch", Phase::kDataloadWait},
    Rule{"batch_to_gpu", Phase::kHostToDevice},
    Rule{"batch_to_device", Phase::kHostToDevice},
    Rule{"copy_batch", Phase::kHostToDevice},
    Rule{"host_to_device", Phase::kHostToDevice},
    Rule{"h2d", Phase::kHostToDevice},
    Rule{"optimizer", Phase::kOptimStep},
    Rule{"optim_step", Phase::kOptimStep},
    Rule{"optim.step", Phase::kOptimStep},
    Rule{"weight_update", Phase::kOptimStep},
    Rule{"sync_gather", Phase::kSyncGather},
    Rule{"gather_metrics", Phase::kSyncGather},
    Rule{"log_metrics", Phase::kSyncGather},
    Rule{"gather_for_metrics", Phase::kSyncGather},
    Rule{"reduce_loss", Phase::kSyncGather},
    Rule{"autograd::engine", Phase::kBackward},
    Rule{"backward", Phase::kBackward},
    Rule{"forward", Phase::kForward},
};

}  // namespace

std::optional<Phase> phase_of_range(std::string_view name) {
  if (const size_t end = name.find("): "); end != name.npos && name.substr(0, end).find(".py(") != name.npos) {
    const std::string_view path = name.substr(0, name.find(".py("));
    if (path.substr(path.rfind('/') + 1) == "dataloader") return Phase::kDataloadWait;
    name.remove_prefix(end + 3);
  }
  std::string text(name);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const Rule& rule : kRules)
    if (text.find(rule.text) != text.npos) return rule.phase;
  return std::nullopt;
}

}  // namespace tauprof
