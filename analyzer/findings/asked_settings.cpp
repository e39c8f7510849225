#include "findings/asked_settings.h"

#include <charconv>

namespace tauprof {

std::optional<std::string> asked(const RunFacts& facts, const std::string& name) {
  const auto found = facts.settings.find(name);
  if (found == facts.settings.end() || found->second.size() != 1) return std::nullopt;
  return found->second.begin()->first;
}

std::optional<double> asked_number(const RunFacts& facts, const std::string& name) {
  const std::optional<std::string> text = asked(facts, name);
  double number = 0;
  if (!text) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  return error == std::errc() && end == text->data() + text->size() ? std::optional(number) : std::nullopt;
}

bool is_pytorch(const RunFacts& facts) { return facts.settings.contains("versions.pytorch"); }

}  // namespace tauprof
