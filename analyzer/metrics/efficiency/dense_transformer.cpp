#include "metrics/efficiency/dense_transformer.h"

#include "metrics/statistics/settings_of_ranks.h"

namespace tauprof {

std::optional<double> dense_transformer_flops(const std::vector<const RankTimeline*>& ranks, int32_t devices,
                                              const std::optional<double>& tokens, const std::optional<double>& batch) {
  const double parameters = common_number(ranks, "module.parameters"), layers = common_number(ranks, "module.layers"),
               width = common_number(ranks, "module.attention_width");
  const std::string kind = common_setting(ranks, "parallel.kind");
  const bool has_whole_model = devices == 1 || kind == "ddp" || kind == "fsdp2";
  if (parameters <= 0 || layers <= 0 || width <= 0 || !has_whole_model || !tokens || !batch) return std::nullopt;
  const double sequence = *tokens / *batch;
  return (6 * parameters + 12 * layers * width * sequence) * *tokens * devices;
}

}  // namespace tauprof
