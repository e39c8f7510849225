#include "metrics/stragglers/step_load.h"

namespace tauprof {

bool is_own(size_t row) {
  switch (static_cast<LedgerRow>(row)) {
    case LedgerRow::kFusedCommCompute:  // which waits for peers, too
    case LedgerRow::kExposedCommTransfer:
    case LedgerRow::kExposedCommUnsplit:
    case LedgerRow::kExposedCommWait:
      return false;
    default:
      return true;
  }
}

SpentTime load_of(const RankStep& step) {
  SpentTime load;
  for (const LedgerCell& cell : step.cells)
    if (is_own(static_cast<size_t>(cell.row))) load.rows[static_cast<size_t>(cell.row)] += cell.length;
  load.work = step.work;
  load.copied_bytes = step.copied_bytes;
  return load;
}

}  // namespace tauprof
