// An outcome as a value: success, or one line for the user that says what failed, where, and what to do.
#pragma once

#include <string>
#include <utility>

namespace tauprof {

class [[nodiscard]] Status {
 public:
  static Status ok() { return {}; }
  static Status error(std::string message) {
    Status status;
    status.message_ = std::move(message);
    status.failed_ = true;
    return status;
  }

  bool is_ok() const { return !failed_; }
  const std::string& message() const { return message_; }

 private:
  std::string message_;
  bool failed_ = false;
};

}  // namespace tauprof
