#include "metrics/statistics/settings_of_ranks.h"

#include <charconv>

namespace tauprof {

std::string common_setting(const std::vector<const RankTimeline*>& ranks, const char* name) {
  std::string value;
  for (const RankTimeline* const rank : ranks) {
    const auto found = rank->settings.find(name);
    if (found == rank->settings.end() || (rank != ranks.front() && found->second != value)) return {};
    value = found->second;
  }
  return value;
}

double common_number(const std::vector<const RankTimeline*>& ranks, const char* name) {
  const std::string text = common_setting(ranks, name);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? static_cast<double>(value) : 0;
}

}  // namespace tauprof
