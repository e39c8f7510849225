#include "metrics/ledger/exposed_communication.h"

#include <algorithm>

namespace tauprof {
namespace {

LedgerRow row_at(const RankCollective& collective, Nanoseconds time) {
  if (!collective.is_split) return LedgerRow::kExposedCommUnsplit;
  return time < collective.ready ? LedgerRow::kExposedCommWait : LedgerRow::kExposedCommTransfer;
}

class SliceBooking {
 public:
  SliceBooking(const RankTimeline& rank, const CommSlice& slice) : rank_(rank), slice_(slice) {}

  void book(Ledger& ledger) const {
    std::vector<Nanoseconds> bounds{slice_.time.start, slice_.time.end};
    for (uint32_t i = 0; i < slice_.member_count; ++i)
      if (const RankCollective& c = member(i); c.is_split && c.ready > slice_.time.start && c.ready < slice_.time.end)
        bounds.push_back(c.ready);
    std::sort(bounds.begin(), bounds.end());
    for (size_t i = 0; i + 1 < bounds.size(); ++i)
      if (bounds[i + 1] > bounds[i]) book_part({bounds[i], bounds[i + 1]}, ledger);
  }

 private:
  const RankCollective& member(uint32_t i) const {
    return rank_.collectives[rank_.slice_members[slice_.first_member + i]];
  }

  void book_part(Interval part, Ledger& ledger) const {
    // The enum lists the rows in the order of precedence: transfer, unsplit, wait.
    LedgerRow row = LedgerRow::kExposedCommWait;
    for (uint32_t i = 0; i < slice_.member_count; ++i) row = std::min(row, row_at(member(i), part.start));
    const RankCollective* latest = nullptr;
    for (uint32_t i = 0; i < slice_.member_count; ++i) {
      const RankCollective& c = member(i);
      if (row_at(c, part.start) == row && (latest == nullptr || launched_before(*latest, c))) latest = &c;
    }
    ledger.add(latest->phase, row, part.length());
  }

  static Nanoseconds launch_time(const RankCollective& c) { return c.launch_start != 0 ? c.launch_start : c.start; }
  static bool launched_before(const RankCollective& a, const RankCollective& b) {
    return launch_time(a) < launch_time(b);
  }

  const RankTimeline& rank_;
  const CommSlice& slice_;
};

void add_exposed_waits(RankTimeline& rank) {
  for (const CommSlice& slice : rank.slices)
    for (uint32_t i = 0; i < slice.member_count; ++i) {
      RankCollective& unit = rank.collectives[rank.slice_members[slice.first_member + i]];
      if (!unit.is_split) continue;
      const Interval waiting{std::max(slice.time.start, unit.start), std::min(slice.time.end, unit.ready)};
      if (waiting.end > waiting.start) unit.exposed_wait += waiting.length();
    }
}

}  // namespace

void book_exposed_communication(RankTimeline& rank) {
  for (size_t i = 0; i < rank.slices.size();) {
    const int32_t step = rank.slices[i].step;
    Ledger ledger;
    for (; i < rank.slices.size() && rank.slices[i].step == step; ++i)
      if (step != kNoStep) SliceBooking(rank, rank.slices[i]).book(ledger);
    if (step == kNoStep) continue;
    std::vector<LedgerCell> exposed;
    for (size_t phase = 0; phase < kPhaseCount; ++phase)
      for (size_t row = 0; row < kLedgerRowCount; ++row)
        if (const Nanoseconds length = ledger.cells[phase][row]; length != 0)
          exposed.push_back({static_cast<Phase>(phase), static_cast<LedgerRow>(row), length});
    std::vector<LedgerCell>& cells = rank.steps[step].cells;
    cells.reserve(cells.size() + exposed.size());  // no room for more: millions of steps have some
    cells.insert(cells.end(), exposed.begin(), exposed.end());
  }
  add_exposed_waits(rank);
  rank.slices = std::vector<CommSlice>();  // and their memory
  rank.slice_members = std::vector<uint32_t>();
}

}  // namespace tauprof
