// The figure at the right edge of a repair's line: the step after the repair or, where nothing was replayed, the time
// that its cause takes.
#pragma once

#include <optional>
#include <string>

#include "report/report.h"

namespace tauprof {

class RepairEdge {
 public:
  explicit RepairEdge(const Report& report);

  // "the step becomes"
  const std::string& head() const { return head_; }
  // "6.34 ms"; empty where there is nothing to say.
  std::string of(const Finding& finding) const;

 private:
  double step_;
  std::optional<double> error_ns_;
  bool is_by_time_;
  std::string head_;
};

}  // namespace tauprof
