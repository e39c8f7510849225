#include "metrics/stragglers/more_work.h"

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

bool explains(double own, double typical, double gained, const ComputeSpending& spent, Nanoseconds excess) {
  const double more = own - typical;
  if (more <= (kMoreWork - 1) * typical || 2 * gained < more) return false;
  return 2 * more / own * static_cast<double>(spent.time) >= static_cast<double>(excess);
}

}  // namespace

ComputeSpending computing(const SpentTime& spent) {
  return {spent.work, spent.rows[static_cast<size_t>(LedgerRow::kCompute)]};
}

bool is_more_work(const ComputeSpending& own, const ComputeSpending& typical, const ComputeWork& gained) {
  const double kernels = own.work.kernels - typical.work.kernels;
  if (kernels > 0 && 2 * gained.kernels >= kernels) return true;
  const Nanoseconds excess = own.time - typical.time;
  return explains(own.work.flops, typical.work.flops, gained.flops, own, excess) ||
         explains(own.work.threads, typical.work.threads, gained.threads, own, excess);
}

}  // namespace tauprof
