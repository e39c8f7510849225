#include "metrics/stragglers/excess_cause.h"

#include "limits/analysis_limits.h"

namespace tauprof {

Cause cause_of(LedgerRow row, const BesidePeers& rank) {
  switch (row) {
    case LedgerRow::kCompute:
    case LedgerRow::kUnclassified:
      return rank.computing;
    // Copying more than the others is not the link's fault: the host asked for it, for example to save a checkpoint.
    case LedgerRow::kExposedCopy:
      if (rank.copies_input_longer) return Cause::kInputCopy;
      return rank.copies_more ? Cause::kHostSync : Cause::kSlowLink;
    default:
      return cause_of_more(row);
  }
}

bool copies_more(const SpentTime& own, const SpentTime& typical) {
  return static_cast<double>(own.copied_bytes) > kMoreBytes * static_cast<double>(typical.copied_bytes);
}

}  // namespace tauprof
