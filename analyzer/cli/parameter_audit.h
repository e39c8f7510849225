// `tauprof run --audit-params`: makes every Python that the command starts load the audit (preload/python), and reads
// what became of it from the folder that the job's processes shared.
#pragma once

#include <string>

namespace tauprof {

class ParameterAudit {
 public:
  ParameterAudit() = default;
  ~ParameterAudit();  // removes the folder
  ParameterAudit(const ParameterAudit&) = delete;
  ParameterAudit& operator=(const ParameterAudit&) = delete;

  // False: it cannot be done, and it has been said.
  bool begin(bool shows_zero_gradients);

  enum class Outcome { kSafe, kUnsafe, kNone };
  // After the command; one line where no report was printed.
  Outcome conclude() const;

 private:
  std::string folder_;
};

}  // namespace tauprof
