#include "metrics/efficiency/model_flops.h"

#include <charconv>

namespace tauprof {
namespace {

// The setting's value if all ranks have the same; else empty.
std::string setting(const std::vector<const RankTimeline*>& ranks, const char* name) {
  std::string value;
  for (const RankTimeline* const rank : ranks) {
    const auto found = rank->settings.find(name);
    if (found == rank->settings.end() || (rank != ranks.front() && found->second != value)) return {};
    value = found->second;
  }
  return value;
}

// 0: not known.
double number(const std::string& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? static_cast<double>(value) : 0;
}

}  // namespace

ModelFlops model_flops_of_settings(const std::vector<const RankTimeline*>& ranks, int32_t devices,
                                   const std::optional<double>& tokens, const std::optional<double>& batch) {
  const double parameters = number(setting(ranks, "module.parameters")),
               layers = number(setting(ranks, "module.layers")),
               width = number(setting(ranks, "module.attention_width"));
  if (parameters <= 0 || layers <= 0 || width <= 0)
    return {std::nullopt, "the operations of the model are not known (--model-flops)"};
  const std::string kind = setting(ranks, "parallel.kind");
  if (devices != 1 && kind != "ddp" && kind != "fsdp2")
    return {std::nullopt, "how the ranks share the model is not known (--model-flops)"};
  if (!tokens || !batch) return {std::nullopt, "the tokens of a step are not known (--tokens and --batch)"};
  const double sequence = *tokens / *batch;
  return {(6 * parameters + 12 * layers * width * sequence) * *tokens * devices, {}};
}

}  // namespace tauprof
