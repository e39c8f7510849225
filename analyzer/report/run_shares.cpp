#include "report/run_shares.h"

#include <fmt/format.h>

#include "limits/step_limits.h"
#include "report/statement_text.h"

namespace tauprof {

std::string outside_words(const Report& report) {
  const double share = report.metrics.steps.outside_steps.share();
  return share > kNotableOutside ? fmt::format("{:.0f} % of the run in no {}", 100 * share, report.unit()) : "";
}

std::string utilization_words(const Efficiency& efficiency) {
  const auto words = [](const char* name, double share, bool is_lower_bound) {
    return fmt::format("{} {}{}", name, share_text(share), is_lower_bound ? " or more" : "");
  };
  if (efficiency.is_mfu_telling()) return words("MFU", *efficiency.mfu, efficiency.is_mfu_lower_bound());
  if (efficiency.model_flops && !efficiency.is_model_counted)
    return "MFU – (" + efficiency.no_mfu_because + ")";  // it was asked for
  if (efficiency.is_hfu_telling()) return words("HFU", *efficiency.hfu, efficiency.is_lower_bound);
  return "";
}

}  // namespace tauprof
