#include "timelines/sound_timeline.h"

#include <algorithm>

namespace tauprof {
namespace {

// Tables for leading steps belong to steps that are there. Of each row, `name` is an index below `names`.
template <class Row, class Index>
bool are_sound(const std::vector<std::vector<Row>>& tables, size_t steps, Index Row::*name, size_t names) {
  if (std::min(tables.size(), kLeadingSteps) > steps) return false;
  return std::all_of(tables.begin(), tables.end(), [&](const std::vector<Row>& table) {
    return std::all_of(table.begin(), table.end(), [&](const Row& row) { return row.*name < names; });
  });
}

bool is_below(uint32_t index, size_t count) { return index == kNoIndex || index < count; }

bool are_sound(const std::vector<RankCollective>& collectives, const RankTimeline& rank) {
  const auto steps = static_cast<int64_t>(rank.steps.size());
  return std::all_of(collectives.begin(), collectives.end(), [&](const RankCollective& one) {
    return one.step >= kNoStep && one.step < steps && is_below(one.source_line, rank.source_line_names.size());
  });
}

bool has_sound_slices(const RankTimeline& rank) {
  const size_t members = rank.slice_members.size();
  for (const CommSlice& slice : rank.slices)
    if (slice.member_count == 0 || slice.first_member > members || slice.member_count > members - slice.first_member ||
        slice.step < kNoStep || slice.step >= static_cast<int64_t>(rank.steps.size()))
      return false;
  return std::all_of(rank.slice_members.begin(), rank.slice_members.end(),
                     [&](uint32_t member) { return member < rank.collectives.size(); });
}

bool has_sound_places(const RankTimeline& rank) {
  for (size_t node = 0; node < rank.place_nodes.size(); ++node)
    if ((node > 0 && rank.place_nodes[node].parent >= node) || (node == 0 && rank.place_nodes[0].parent != 0) ||
        !is_below(rank.place_nodes[node].name, rank.place_names.size()))
      return false;
  for (const std::vector<PlaceTotal>& table : rank.places)
    for (const PlaceTotal& place : table)
      if (!is_below(place.before, rank.place_names.size()) || !is_below(place.after, rank.place_names.size()))
        return false;
  return are_sound(rank.places, rank.steps.size(), &PlaceTotal::node, rank.place_nodes.size());
}

bool has_sound_paths(const RankTimeline& rank) {
  for (size_t node = 0; node < rank.path_nodes.size(); ++node)
    if (rank.path_nodes[node].parent >= std::max<size_t>(node, 1) ||
        rank.path_nodes[node].name >= std::max<size_t>(rank.path_names.size(), 1))
      return false;
  return are_sound(rank.paths, rank.steps.size(), &PathTotal::node, rank.path_nodes.size());
}

bool is_sound(const RankTimeline& rank) {
  const size_t steps = rank.steps.size();
  return has_sound_paths(rank) && are_sound(rank.collectives, rank) && are_sound(rank.untimed_collectives, rank) &&
         has_sound_slices(rank) && has_sound_places(rank) &&
         are_sound(rank.kernels, steps, &KernelTotal::name, rank.kernel_names.size()) &&
         are_sound(rank.gemms, steps, &GemmTotal::kind, rank.gemm_kinds.size()) &&
         are_sound(rank.uncounted, steps, &UncountedTotal::name, rank.uncounted_names.size()) &&
         are_sound(rank.source_lines, steps, &SourceLineTotal::source_line, rank.source_line_names.size()) &&
         are_sound(rank.call_totals, steps, &CallTotal::function, rank.function_names.size());
}

}  // namespace

bool is_sound(const ReducedLog& log) {
  return std::all_of(log.ranks.begin(), log.ranks.end(), [](const RankTimeline& rank) { return is_sound(rank); });
}

}  // namespace tauprof
