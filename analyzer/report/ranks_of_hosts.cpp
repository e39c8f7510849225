#include "report/ranks_of_hosts.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/terminal_text.h"
#include "report/section_lengths.h"

namespace tauprof {
namespace {

std::string in_ranges(const std::vector<int32_t>& ranks) {
  std::string text = ranks.size() == 1 ? "rank" : "ranks";
  for (size_t first = 0; first < ranks.size();) {
    size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    text += fmt::format("{} {}", first == 0 ? "" : ",", ranks[first]);
    if (last > first) text += fmt::format("-{}", ranks[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace

RanksOfHosts::RanksOfHosts(const std::vector<RankMetrics>& ranks) {
  for (const RankMetrics& rank : ranks) hosts_[rank.rank] = rank.host;
  are_several_ =
      std::any_of(hosts_.begin(), hosts_.end(), [&](const auto& one) { return one.second != hosts_.begin()->second; });
}

const std::string& RanksOfHosts::host_of(int32_t rank) const {
  static const std::string kNone;
  const auto host = hosts_.find(rank);
  return host == hosts_.end() ? kNone : host->second;
}

std::string RanksOfHosts::name(const std::vector<int32_t>& ranks) const {
  const std::string& host = host_of(ranks.front());
  return (are_several_ && !host.empty() ? terminal_text(host) + ": " : "") + in_ranges(ranks);
}

std::string RanksOfHosts::list(const std::vector<int32_t>& ranks) const {
  if (ranks.size() <= kMostListedRanks) {
    std::string text = ranks.size() == 1 ? "rank" : "ranks";
    for (size_t i = 0; i < ranks.size(); ++i) text += fmt::format("{} {}", i == 0 ? "" : ",", ranks[i]);
    return text;
  }
  std::map<std::string, std::vector<int32_t>> by_host;
  for (const int32_t rank : ranks) by_host[host_of(rank)].push_back(rank);
  std::string text;
  size_t hosts = 0, named = 0;
  for (const auto& [host, its_ranks] : by_host) {
    if (++hosts > kMostListedRanks) break;
    text += (text.empty() ? "" : "; ") + name(its_ranks);
    named += its_ranks.size();
  }
  return named < ranks.size() ? text + fmt::format("; and {} more", ranks.size() - named) : text;
}

}  // namespace tauprof
