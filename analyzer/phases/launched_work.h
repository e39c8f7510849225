// The work that each call launched, by the call's index in ProcessTrace::calls: as the devices recorded it or, if
// nothing of a log has device times, as far as the calls tell. They do not name kernels.
//
// The kind of work does not depend on the call that launched it. Other tools' traces launch collectives and messages
// like any kernel (cudaLaunchKernelExC); the kernel's own record says what it carries out, else the range that the
// framework opens around the launch (nccl:send 0->1), else the kernel's name.
#pragma once

#include <vector>

#include "model/process_trace.h"

namespace tauprof {

// kMessage: between pipeline stages.
enum class Work : uint8_t { kNone, kKernel, kCopy, kFill, kCollective, kMessage };

class LaunchedWork {
 public:
  explicit LaunchedWork(const ProcessTrace& trace);

  std::vector<Work> work;
  std::vector<NameId> kernel;  // kNoName: it launched none
  std::vector<log::CopyKind> copy;

  bool copies_back(uint32_t call) const {
    return work[call] == Work::kCopy && copy[call] == log::CopyKind::kDeviceToHost;
  }
  // Of a collective or message; kUnknown: of other calls, or not known.
  log::Operation operation(uint32_t call) const;

 private:
  void find_messages();
  void take_from_calls();
  void take(const DeviceSpan& span);
  void take_from_ranges();
  Work work_of(uint32_t collective) const { return is_message_[collective] ? Work::kMessage : Work::kCollective; }

  const ProcessTrace& trace_;
  std::vector<bool> is_message_;      // of each collective call
  std::vector<uint32_t> collective_;  // that each call launched
};

}  // namespace tauprof
