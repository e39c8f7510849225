// What single device spans compute and move, as far as the log says: copies by their bytes, kernels by the product that
// their call is. Of a product's kernels the first has its work, and of the others nothing is known.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "model/known_work.h"
#include "model/process_trace.h"

namespace tauprof {

class WorkOfSpans {
 public:
  explicit WorkOfSpans(const ProcessTrace& trace) : trace_(trace) {}
  // Each span once, in their order.
  KnownWork of(const DeviceSpan& span);

 private:
  bool is_tf32(NameId name);

  const ProcessTrace& trace_;
  std::vector<bool> is_seen_;  // by product
  std::map<std::pair<uint32_t, bool>, KnownWork> by_kind_;
  std::map<NameId, bool> is_tf32_;
};

}  // namespace tauprof
