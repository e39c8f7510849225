#include "html/span_merge.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tauprof {
namespace {

constexpr Nanoseconds kFirstLength = 256;
constexpr Nanoseconds kLastLength = Nanoseconds{1} << 60;

// Neighbours that become one span.
class Block {
 public:
  explicit Block(const ShownSpan& first) : shown_(first) { add_time(first); }

  bool takes(const ShownSpan& next, Nanoseconds below) const {
    return is_short_ && next.duration < below && next.start - end() < below;
  }
  void add(const ShownSpan& next) {
    shown_.duration = std::max(end(), next.start + next.duration) - shown_.start;
    shown_.count += next.count;
    shown_.name = kNoShownName;
    add_time(next);
  }
  void set_short(bool is_short) { is_short_ = is_short; }
  ShownSpan shown() const {
    ShownSpan result = shown_;
    const auto longest = std::max_element(by_kind_.begin(), by_kind_.end());
    result.kind = static_cast<ShownKind>(longest - by_kind_.begin());
    return result;
  }

 private:
  Nanoseconds end() const { return shown_.start + shown_.duration; }
  // A span of no length counts, too.
  void add_time(const ShownSpan& span) { by_kind_[static_cast<size_t>(span.kind)] += span.duration + 1; }

  ShownSpan shown_;
  std::array<Nanoseconds, kShownKindCount> by_kind_{};
  bool is_short_ = false;
};

std::vector<ShownSpan> merged_row(const std::vector<ShownSpan>& row, Nanoseconds below) {
  std::vector<ShownSpan> result;
  std::vector<Block> open;  // none or one
  for (const ShownSpan& span : row) {
    if (!open.empty() && open.front().takes(span, below)) {
      open.front().add(span);
      continue;
    }
    if (!open.empty()) result.push_back(open.front().shown());
    open.assign(1, Block(span));
    open.front().set_short(span.duration < below);
  }
  if (!open.empty()) result.push_back(open.front().shown());
  return result;
}

size_t spans_of(const std::vector<std::vector<ShownSpan>>& rows) {
  size_t spans = 0;
  for (const std::vector<ShownSpan>& row : rows) spans += row.size();
  return spans;
}

}  // namespace

SpanMerge merge_short_spans(std::vector<std::vector<ShownSpan>>& rows, size_t most) {
  const size_t all = spans_of(rows);
  if (all <= most) return {};
  std::vector<std::vector<ShownSpan>> merged;
  Nanoseconds below = kFirstLength;
  for (;; below *= 2) {
    merged.clear();
    for (const std::vector<ShownSpan>& row : rows) merged.push_back(merged_row(row, below));
    if (spans_of(merged) <= most || below >= kLastLength) break;
  }
  rows = std::move(merged);
  return {all - spans_of(rows), below};
}

}  // namespace tauprof
