#include "metrics/stragglers/excess_cause.h"

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

constexpr Cause kCauseOfRow[] = {
#define LEDGER_ROW(row, name, label, colour, host, cause, word) Cause::cause,
#include "model/ledger.def"
#undef LEDGER_ROW
};

}  // namespace

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
      return kCauseOfRow[static_cast<size_t>(row)];
  }
}

bool copies_more(const SpentTime& own, const SpentTime& typical) {
  return static_cast<double>(own.copied_bytes) > kMoreBytes * static_cast<double>(typical.copied_bytes);
}

}  // namespace tauprof
