#include "metrics/stragglers/more_work.h"

#include <algorithm>

#include "limits/analysis_limits.h"
#include "metrics/collectives/bandwidth.h"

namespace tauprof {
namespace {

bool is_why(double own, double typical, double gained, const ComputeSpending& spent, Nanoseconds excess) {
  const double more = own - typical;
  if (more <= (kMoreWork - 1) * typical || !explains(gained, more)) return false;
  return explains(more / own * static_cast<double>(spent.time), static_cast<double>(excess));
}

}  // namespace

ComputeSpending computing(const SpentTime& spent, double exchanged) {
  return {spent.work, spent.rows[static_cast<size_t>(LedgerRow::kCompute)], exchanged};
}

double exchanged_bytes(const RankCollective& collective) {
  if (collective.operation != log::Operation::kAllToAll) return 0;
  const int64_t others = std::max(0, collective.communicator_size - 1);
  const int64_t sent = collective.rare->bytes_out > 0 ? collective.rare->bytes_out
                                                      : collective.count * size_of(collective.datatype) * others;
  return static_cast<double>(std::max(sent, collective.rare->bytes_in));
}

Cause why_longer(const ComputeSpending& own, const ComputeSpending& typical, const ComputeWork& gained) {
  const double kernels = own.work.kernels - typical.work.kernels;
  if (kernels > 0 && explains(gained.kernels, kernels)) return Cause::kMoreCompute;
  const Nanoseconds excess = own.time - typical.time;
  const double tokens = own.exchanged - typical.exchanged;
  if (is_why(own.exchanged, typical.exchanged, tokens, own, excess)) return Cause::kMoreTokens;
  const bool is_larger = is_why(own.work.flops, typical.work.flops, gained.flops, own, excess) ||
                         is_why(own.work.threads, typical.work.threads, gained.threads, own, excess);
  return is_larger ? Cause::kMoreCompute : Cause::kSlowCompute;
}

}  // namespace tauprof
