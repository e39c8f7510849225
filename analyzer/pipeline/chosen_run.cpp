#include "pipeline/chosen_run.h"

#include <algorithm>

namespace tauprof {
namespace {

std::string id_of(const LogRun& run) { return run.id.empty() ? "(unnamed)" : run.id; }

std::string listed(const std::vector<LogRun>& runs) {
  std::string text;
  for (const LogRun& run : runs) text += (text.empty() ? "" : ", ") + id_of(run);
  return text;
}

// Whether the process of a run's only log took part in nothing: it queried the devices, or was spawned beside the run
// before it and launched a few kernels.
bool is_no_run(const std::vector<LogRun>& runs, size_t index, const LogSource& source) {
  const LogRun& run = runs[index];
  if (run.files.size() > 1) return false;
  const std::string& file = run.files.front();
  if (source.is_bystander(file)) return true;
  // Of the runs before it, the latest with a larger log: other helpers may have started in between.
  for (size_t before = index; before-- > 0;)
    if (const std::string& other = runs[before].files.front(); source.bytes(other) > source.bytes(file))
      return is_helper_beside(source.activity(file), source.activity(other));
  return false;
}

RunMembers members_of(const LogRun& run, const LogSource& source) {
  RunMembers members;
  for (const std::string& file : run.files) {
    const RunMembers its = source.members(file);
    members.ranks.insert(its.ranks.begin(), its.ranks.end());
    members.world_size = std::max(members.world_size, its.world_size);
  }
  return members;
}

struct Choice {
  const LogRun* run = nullptr;
  std::string why;  // as in "the newest"
};

// "1 of 4 ranks"
std::string ranks_in(const RunMembers& members) {
  return std::to_string(members.ranks.size()) + " of " + std::to_string(members.world_size) + " ranks";
}

// Of the runs that did something.
Choice newest_complete(const std::vector<LogRun>& runs, const LogSource& source) {
  const LogRun* newest = nullptr;
  std::string what_it_has;
  for (size_t i = runs.size(); i-- > 0;) {
    if (is_no_run(runs, i, source)) continue;
    const RunMembers members = members_of(runs[i], source);
    if (members.is_complete())
      return {&runs[i],
              newest == nullptr ? "the newest" : "the newest with logs of all its ranks (" + what_it_has + ")"};
    if (newest != nullptr) continue;
    newest = &runs[i];
    what_it_has = id_of(runs[i]) + " has " + ranks_in(members);
  }
  return {newest != nullptr ? newest : &runs.back(), "the newest"};
}

}  // namespace

Status choose_run(const std::string& name, const std::optional<std::string>& id, const LogDirectory& directory,
                  const LogSource& source, const LogRun*& chosen, std::vector<std::string>& notes) {
  const std::vector<LogRun>& runs = directory.runs;
  if (id) {
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const LogRun& run) { return run.id == *id; });
    if (found == runs.end()) return Status::error(name + ": no run '" + *id + "'; there are: " + listed(runs));
    chosen = &*found;
    return Status::ok();
  }
  chosen = &runs.front();
  if (runs.size() == 1) return Status::ok();
  const Choice choice = newest_complete(runs, source);
  chosen = choice.run;
  notes.push_back(name + ": " + std::to_string(runs.size()) + " runs; analysing " + choice.why + ", " + id_of(*chosen) +
                  "; --run ID picks another of: " + listed(runs));
  return Status::ok();
}

}  // namespace tauprof
