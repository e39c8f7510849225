// The kinds of blocks that tables are in, and the name of the layout that a file's tables have.
#pragma once

#include "log/format.h"
#include "timelines/table_layout.h"

namespace tauprof {

inline constexpr uint16_t kFirstFactsTable = log::kFirstTable;
inline constexpr uint16_t kFirstTimelineTable = kFirstFactsTable + 16;

inline int64_t layout_digest() { return static_cast<int64_t>(facts_layout().digest * 31 + timelines_layout().digest); }

}  // namespace tauprof
