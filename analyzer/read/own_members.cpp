#include "read/own_members.h"

#include <map>
#include <set>

namespace tauprof {

void assign_member_ranks(ProcessTrace& trace) {
  std::map<uint64_t, std::set<int32_t>> members;  // of this process, by the communicator's identity
  int32_t largest = 0;
  for (const auto& [number, communicator] : trace.communicators)
    if (communicator.identity != 0 && members[communicator.identity].insert(communicator.rank).second &&
        members[communicator.identity].size() > 1)
      largest = std::max(largest, communicator.size);
  for (auto& [number, communicator] : trace.communicators) {
    if (largest == 0) communicator.device = -1;
    if (communicator.size != largest || members[communicator.identity].size() < 2) continue;
    for (DeviceTrace& device : trace.devices)
      if (device.device == communicator.device) device.rank = communicator.rank;
  }
}

}  // namespace tauprof
