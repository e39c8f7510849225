// Which asynchronous copies the host waits for.
//
// A copy from or to pinned memory returns at once; one from or to pageable memory takes until it is done, but for the
// last piece of it, which the driver has put aside. Logs do not say which memory it is. A small copy may be done before
// its call returns although nobody waits for it, where calls are slow; so copies of one kind and size, by one function,
// wait only if not one of them ran on after its call, and the call then returns soon, by the length of the copy.
// Example, seen on an H200: copies of 9 MB that last 1.1 ms and end 17 us after their calls are waited for; copies of
// 2 KB that last 0.8 us and end 35 us before to 1.4 us after theirs are not.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>

#include "model/process_trace.h"

namespace tauprof {

class WaitingCopies {
 public:
  explicit WaitingCopies(const ProcessTrace& trace);

  // Whether the call that launched it returned because it was done. `copy`: of a device of the trace.
  bool is_waited_for(const DeviceSpan& copy) const;

 private:
  using Kind = std::tuple<NameId, log::CopyKind, int64_t>;  // the function, the direction, the size
  static bool is_asynchronous(const ProcessTrace& trace, const DeviceSpan& span);
  static bool runs_on(const ProcessTrace& trace, const DeviceSpan& copy);
  Kind kind_of(const DeviceSpan& copy) const;

  const ProcessTrace& trace_;
  std::set<Kind> run_on_;
};

}  // namespace tauprof
