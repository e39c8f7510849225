#include "metrics/efficiency/model_flops.h"

#include "metrics/statistics/settings_of_ranks.h"

namespace tauprof {

ModelFlops model_flops_of_settings(const std::vector<const RankTimeline*>& ranks, int32_t devices,
                                   const std::optional<double>& tokens, const std::optional<double>& batch) {
  const double parameters = common_number(ranks, "module.parameters"), layers = common_number(ranks, "module.layers"),
               width = common_number(ranks, "module.attention_width");
  if (parameters <= 0 || layers <= 0 || width <= 0)
    return {std::nullopt, "the operations of the model are not known (--model-flops)"};
  const std::string kind = common_setting(ranks, "parallel.kind");
  if (devices != 1 && kind != "ddp" && kind != "fsdp2")
    return {std::nullopt, "how the ranks share the model is not known (--model-flops)"};
  if (!tokens || !batch) return {std::nullopt, "the tokens of a step are not known (--tokens and --batch)"};
  const double sequence = *tokens / *batch;
  return {(6 * parameters + 12 * layers * width * sequence) * *tokens * devices, {}};
}

}  // namespace tauprof
