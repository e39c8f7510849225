// A cause to be taken away: what would go, on which ranks and in which steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/ledger.h"

namespace tauprof {

enum class RepairKind {
  kNone,          // nothing that could be replayed
  kAsPeers,       // the ranks do what their peers do, in the time that those take
  kAsOtherSteps,  // the steps are like the others
  kLinks,         // the ranks' collectives move their data as fast as the same ones elsewhere
  kRow,           // the time of a ledger row is gone
  kAsGraph,       // steps are captured as CUDA graphs, so the host launches once in each
  kInputCopies,   // copies of input take no time, and no call waits for them
  kTf32,          // products of float32 are computed in TF32
  kAligned,       // products with sizes that do not suit tensor cores run as fast as those whose sizes do
  kFusedUpdate,   // the optimizer is one kernel that reads and writes everything once
};

// The side of a rank that is at fault.
enum class Fault : uint8_t { kAny, kHost, kDevice };
using Faults = std::map<int32_t, Fault>;  // by rank
inline void add_fault(int32_t rank, Fault fault, Faults& faults) {
  const auto [known, is_new] = faults.emplace(rank, fault);
  if (!is_new && known->second != fault) known->second = Fault::kAny;
}

// The rows that go where collectives move their data in no time.
constexpr bool moves_data(LedgerRow row) {
  return row == LedgerRow::kExposedCommTransfer || row == LedgerRow::kExposedCommUnsplit;
}

struct Repair {
  RepairKind kind = RepairKind::kNone;
  std::optional<LedgerRow> row;  // of kRow; of kAsPeers, what goes where there is no peer; nullopt: not known
  std::vector<int32_t> ranks;    // empty: all
  std::vector<int64_t> steps;    // empty: all
  bool are_windows = false;      // the cause lies in the device windows of these steps, see ChosenSteps
  Fault fault = Fault::kAny;     // of kAsPeers
  std::string reason;            // of kNone: why
  double update_bytes = 0;       // of kFusedUpdate: what a rank's update reads and writes

  bool is_about(int32_t rank) const {
    return ranks.empty() || std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
  }
};

}  // namespace tauprof
