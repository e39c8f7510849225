#include "import/run_assignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

namespace tauprof::kineto {
namespace {

constexpr size_t kLongestName = 40;  // of a folder, in the id of a run

// "0-2,5", so that long lists stay short.
std::string ranges_of(const std::vector<int64_t>& ranks) {
  std::string text;
  for (size_t i = 0; i < ranks.size();) {
    size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ranks[i]);
    if (last > i) text += fmt::format("{}{}", last > i + 1 ? "-" : ",", ranks[last]);
    i = last + 1;
  }
  return text;
}

std::string missing_line(size_t run, size_t run_count, const std::set<int64_t>& present, int64_t world_size) {
  std::vector<int64_t> missing;
  for (int64_t rank = 0; rank < world_size; ++rank)
    if (present.count(rank) == 0) missing.push_back(rank);
  if (missing.empty()) return {};
  const auto named = [](const std::vector<int64_t>& ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ") + ranges_of(ranks);
  };
  const std::string which = run_count > 1 ? fmt::format("run {}: ", run + 1) : "";
  return fmt::format("{}{} of world {}: {} {} missing; reports leave open what needs all ranks", which,
                     named({present.begin(), present.end()}), world_size, named(missing),
                     missing.size() == 1 ? "is" : "are");
}

}  // namespace

// The k-th trace of each rank belongs to run k. A rank with fewer traces than others missed some runs. Its traces go to
// the runs that started nearest to them, in order.
std::vector<int> assign_runs(const std::vector<FileOutcome>& outcomes) {
  const auto start = [&](size_t i) {
    const HeaderFacts& header = outcomes[i].header;
    return header.start_realtime_ns != 0 ? header.start_realtime_ns : header.start_time_ns;
  };
  std::map<int64_t, std::vector<size_t>> of_rank;
  for (size_t i = 0; i < outcomes.size(); ++i)
    if (outcomes[i].is_imported) of_rank[outcomes[i].rank].push_back(i);
  size_t runs = 0;
  for (auto& [rank, files] : of_rank) {
    std::stable_sort(files.begin(), files.end(), [&](size_t a, size_t b) { return start(a) < start(b); });
    runs = std::max(runs, files.size());
  }
  std::vector<int64_t> run_starts;
  for (const auto& [rank, files] : of_rank)
    if (files.size() == runs && run_starts.empty())
      for (size_t i : files) run_starts.push_back(start(i));
  std::vector<int> result(outcomes.size(), -1);
  for (const auto& [rank, files] : of_rank) {
    size_t next = 0;
    for (size_t k = 0; k < files.size(); ++k) {
      const size_t last = runs - (files.size() - k);  // leaves room for this rank's later traces
      size_t nearest = next;
      for (size_t run = next; run <= last; ++run)
        if (std::llabs(run_starts[run] - start(files[k])) < std::llabs(run_starts[nearest] - start(files[k])))
          nearest = run;
      result[files[k]] = static_cast<int>(nearest);
      next = nearest + 1;
    }
  }
  return result;
}

std::vector<std::string> names_of_runs(const std::vector<std::string>& sources, const std::vector<int>& runs) {
  std::map<int, std::set<std::filesystem::path>> folders;  // of a run
  std::set<std::string> names;
  for (size_t i = 0; i < sources.size(); ++i)
    if (runs[i] >= 0) {
      const std::filesystem::path folder = std::filesystem::path(sources[i]).parent_path();
      folders[runs[i]].insert(folder);
      names.insert(folder.filename().string());
    }
  const bool are_apart =
      folders.size() > 1 && names.size() == folders.size() &&
      std::all_of(folders.begin(), folders.end(), [](const auto& of_run) { return of_run.second.size() == 1; }) &&
      std::all_of(names.begin(), names.end(), [](const auto& n) { return !n.empty() && n.size() <= kLongestName; });
  std::vector<std::string> result(sources.size());
  for (size_t i = 0; i < sources.size(); ++i)
    if (runs[i] >= 0)
      result[i] = are_apart ? folders[runs[i]].begin()->filename().string() : std::to_string(runs[i] + 1);
  return result;
}

std::vector<std::string> missing_ranks(const std::vector<FileOutcome>& outcomes, const std::vector<int>& runs) {
  std::map<int, std::set<int64_t>> ranks;
  std::map<int, int64_t> world_sizes;
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (runs[i] < 0) continue;
    ranks[runs[i]].insert(outcomes[i].rank);
    world_sizes[runs[i]] = std::max(world_sizes[runs[i]], outcomes[i].world_size);
  }
  std::vector<std::string> lines;
  for (const auto& [run, present] : ranks) {
    std::string line = missing_line(static_cast<size_t>(run), ranks.size(), present, world_sizes[run]);
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace tauprof::kineto
