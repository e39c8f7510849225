// A communicator's name in reports: its own, else its identity in hexadecimal digits.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace tauprof {

inline std::string communicator_name(const std::string& name, uint64_t identity) {
  if (!name.empty()) return name;
  char digits[24];
  snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(identity));
  return digits;
}

}  // namespace tauprof
