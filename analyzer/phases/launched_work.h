// What each call launched, by the call's index in ProcessTrace::calls.
#pragma once

#include <vector>

#include "model/process_trace.h"

namespace tauprof {

struct LaunchedWork {
  explicit LaunchedWork(const ProcessTrace& trace);

  std::vector<NameId> kernel;  // kNoName: it launched none
  std::vector<log::CopyKind> copy;
  std::vector<int64_t> copied_bytes;
  std::vector<bool> fills;

  bool copies_back(uint32_t call) const { return copy[call] == log::CopyKind::kDeviceToHost; }
};

}  // namespace tauprof
