#include "timelines/host_timelines.h"

#include <memory>

#include "read/log_reader.h"
#include "read/record_rows.h"
#include "timelines/sound_timeline.h"
#include "timelines/table_layout.h"
#include "timelines/table_reader.h"

namespace tauprof {
namespace {

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
