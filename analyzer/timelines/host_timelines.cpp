#include "timelines/host_timelines.h"

#include <algorithm>
#include <memory>

#include "model/reduced_log.h"
#include "read/log_reader.h"
#include "read/record_rows.h"
#include "timelines/table_layout.h"
#include "timelines/table_reader.h"

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

// Whether a timeline holds together: what is an index in it lies within what it indexes. A file's checksums tell of
// accidents; this keeps a file that somebody made from reading or writing elsewhere.
bool is_sound(const ReducedLog& log) {
  return std::all_of(log.ranks.begin(), log.ranks.end(), [](const RankTimeline& rank) { return is_sound(rank); });
}

// Texts and rows of what is stored together, block by block.
class StoredTables {
 public:
  StoredTables(const TableLayout& layout, uint16_t first_kind)
      : layout_(layout), first_kind_(first_kind), rows_(layout.tables.size()) {}

  bool take(const RecordBlock& block) {
    if (block.kind() == log::RecordKind::kString) {
      for (uint32_t row = 0; row < block.records(); ++row) texts_.emplace_back(block.text(row));
      return true;
    }
    const size_t table = static_cast<size_t>(block.kind()) - first_kind_;
    if (table >= rows_.size()) return false;
    rows_[table].add(block);
    return true;
  }

  template <class T>
  bool read(T& value) {
    TableReader reader(layout_, rows_, texts_);
    return reader.take(value) && reader.is_complete();
  }

 private:
  const TableLayout& layout_;
  const uint16_t first_kind_;
  std::vector<TableRows> rows_;
  std::vector<std::string> texts_;
};

// The next `count` blocks hold a value. A block stays valid only as long as nothing else is read into it.
template <class T>
bool read_value(LogReader& reader, uint64_t count, const TableLayout& layout, uint16_t first_kind, T& value) {
  StoredTables tables(layout, first_kind);
  for (uint64_t i = 0; i < count; ++i) {
    RecordBlock block;
    const uint64_t start = reader.offset();
    if (!reader.next(block) || !tables.take(block)) return false;
    if (!reader.loss().regions.empty() && reader.loss().regions.back().offset >= start) return false;
  }
  return tables.read(value);
}

}  // namespace

Status open_timelines(const std::string& path, HostTimelines& timelines) {
  std::unique_ptr<LogReader> reader;
  if (Status status = LogReader::open(path, reader); !status.is_ok()) return status;
  if ((reader->header().required_features & log::kFeatureTimelines) == 0)
    return Status::error(path + ": is a log and holds no timelines");
  uint64_t of_others = 0, incomplete = 0;
  RecordBlock block;
  while (reader->next(block)) {
    if (block.kind() != log::RecordKind::kReducedLog) continue;
    log::ReducedLog start;
    for_each_row<log::ReducedLog>(block, [&](const log::ReducedLog& row) { start = row; });
    if (start.layout != layout_digest()) {
      ++of_others;
      continue;
    }
    TimelineEntry entry;
    entry.file = path;
    const bool has_facts =
        start.facts > 0 && start.blocks > start.facts &&
        read_value(*reader, static_cast<uint64_t>(start.facts), facts_layout(), kFirstFactsTable, entry.facts);
    entry.offset = reader->offset();
    entry.blocks = static_cast<uint64_t>(start.blocks - start.facts);
    if (has_facts && reader->skip(entry.blocks))
      timelines.logs.push_back(std::move(entry));
    else
      ++incomplete;
  }
  if (timelines.logs.empty())
    return Status::error(path +
                         (of_others > 0 ? ": timelines of another version of tauprof" : ": no log in it is complete") +
                         "; make them again by tauprof reduce");
  if (incomplete > 0 || of_others > 0 || reader->loss().is_cut_short)
    timelines.complaint = path + ": " +
                          (incomplete == 0   ? "is cut short"
                           : incomplete == 1 ? "1 log in it is incomplete"
                                             : std::to_string(incomplete) + " logs in it are incomplete") +
                          "; what is complete is used (" + std::to_string(timelines.logs.size()) +
                          "), tauprof reduce makes the rest";
  return Status::ok();
}

Status read_timelines(const TimelineEntry& entry, ReducedLog& log) {
  std::unique_ptr<LogReader> reader;
  if (Status status = LogReader::open(entry.file, reader); !status.is_ok()) return status;
  reader->go_to(entry.offset);
  if (!read_value(*reader, entry.blocks, timelines_layout(), kFirstTimelineTable, log) || !is_sound(log))
    return Status::error(entry.file + ": the timelines of " + entry.facts.path +
                         " are damaged and left out; tauprof reduce makes them again");
  return Status::ok();
}

}  // namespace tauprof
