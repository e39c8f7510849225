// What each call launched, by the call's index in ProcessTrace::calls: as the devices recorded it or, if nothing of a
// log has device times, as far as the calls say it. They do not name kernels.
#pragma once

#include <vector>

#include "model/process_trace.h"

namespace tauprof {

struct LaunchedWork {
  explicit LaunchedWork(const ProcessTrace& trace);

  std::vector<NameId> kernel;  // kNoName: it launched none
  std::vector<log::CopyKind> copy;
  std::vector<bool> fills;

  bool copies_back(uint32_t call) const { return copy[call] == log::CopyKind::kDeviceToHost; }

 private:
  void take_from_calls(const ProcessTrace& trace);
};

}  // namespace tauprof
