#include "replay/as_graph.h"

#include "replay/chosen_steps.h"

namespace tauprof {
namespace {

// Whether the host still does this in every step.
bool stays(const OperationLabel& operation) {
  return operation.kind == OperationKind::kReturn || operation.row == LedgerRow::kIdleDataWait ||
         operation.row == LedgerRow::kIdleHostStall;
}

bool launches(const OperationLabel& operation) {
  return operation.kind == OperationKind::kCall && launches_work(operation.call_class);
}

}  // namespace

std::string launch_as_graphs(const RunGraph& run, const Repair& repair, Changes& changes) {
  bool is_any = false;
  for (size_t rank = 0; rank < run.rank_count(); ++rank) {
    if (!repair.is_about(run.rank_number(rank))) continue;
    const ChosenSteps chosen(run, rank, repair.steps, repair.are_windows);
    int64_t launched = kNoStep;  // the step whose current piece has its launch
    run.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      const int64_t step = run.step_of(rank, operation);
      if (step == kNoStep || !chosen.has(id, step)) return;
      if (!is_on_host(operation.kind)) return changes.set_delay(id, 0);
      if (operation.kind == OperationKind::kReturn) launched = kNoStep;
      if (launches(operation) && launched != step) {
        launched = step;
        is_any = true;
      } else if (!stays(operation)) {
        changes.remove(id);
      }
    });
  }
  return is_any ? "" : "no call of these steps launches work";
}

}  // namespace tauprof
