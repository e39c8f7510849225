// Operations and bytes of single device spans, as far as the log has them: copies by their bytes, kernels by the
// product that their call computes, those of PyTorch that compute element by element by their names and grids. A
// product's only kernel has its work; of several, the first whose name says that it multiplies, since others copy an
// operand or add up parts. Where no name says so, it is unknown which one has it.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "classify/elementwise_kernel.h"
#include "model/known_work.h"
#include "model/process_trace.h"

namespace tauprof {

class WorkOfSpans {
 public:
  WorkOfSpans(const ProcessTrace& trace, const DeviceTrace& device);
  // Of a span of the device.
  KnownWork of(const DeviceSpan& span);

 private:
  bool is_tf32(NameId name);
  MovedBytes elementwise(const DeviceSpan& span);

  const ProcessTrace& trace_;
  std::vector<const DeviceSpan*> kernels_;  // that have the work, by product; null: not known
  std::map<std::pair<uint32_t, bool>, KnownWork> by_kind_;
  std::map<NameId, bool> is_tf32_;
  std::vector<std::optional<std::optional<ElementwiseKernel>>> elementwise_;  // by name
  bool tells_elements_of_a_thread_ = false;                                   // (elementwise_kernel.h)
};

}  // namespace tauprof
