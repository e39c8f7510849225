#include "report/health_text.h"

#include <fmt/format.h>

#include "model/terminal_text.h"
#include "report/colours.h"
#include "report/json_values.h"
#include "report/statement_text.h"
#include "report/wrapped_text.h"

namespace tauprof {
namespace {

constexpr size_t kFoundColumn = 26;

}  // namespace

std::string health_text(const std::vector<HealthCheck>& checks, const TextStyle& style) {
  std::string text;
  for (const HealthCheck& check : checks)
    text += wrapped(fmt::format("  {:<7}  {:<14}  {} (should be: {})", name_of(check.outcome), check.id,
                                terminal_text(text_of(check.found)), text_of(check.limit)),
                    style.width, kFoundColumn);
  return style.is_coloured ? coloured(text) : text;
}

std::string health_json(const std::vector<HealthCheck>& checks, const std::string& run) {
  Json lines = Json::array();
  for (const HealthCheck& check : checks)
    lines.push_back({{"id", check.id},
                     {"outcome", name_of(check.outcome)},
                     {"found", valid_utf8(text_of(check.found))},
                     {"limit", text_of(check.limit)}});
  const Json json = {{"schema", "tauprof.health/1"}, {"run", valid_utf8(run)}, {"checks", lines}};
  return terminal_json(json.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace tauprof
