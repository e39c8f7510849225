// `tauprof run --audit-params`: makes every Python that the command starts load the audit (preload/python), and reads
// the outcome from a folder that the job's processes share.
#pragma once

#include <string>

namespace tauprof {

class ParameterAudit {
 public:
  ParameterAudit() = default;
  ~ParameterAudit();  // removes the folder
  ParameterAudit(const ParameterAudit&) = delete;
  ParameterAudit& operator=(const ParameterAudit&) = delete;

  // Sets the environment of the command. False if that fails, after printing an error.
  bool prepare(bool shows_zero_gradients);

  enum class Outcome { kSafe, kUnsafe, kNone };
  // To be called after the command. Prints one line if the audit printed no report.
  Outcome conclude() const;

 private:
  std::string folder_;
};

}  // namespace tauprof
