// Reads lines of rules (phase_rules.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/status.h"
#include "phases/phase_rules.h"

namespace tauprof {

class RuleReader {
 public:
  RuleReader(std::string source, PhaseRules& rules) : source_(std::move(source)), rules_(rules) {}
  Status read(std::string_view text);

 private:
  // What is wrong with the line; empty: nothing.
  std::string read_line(const std::vector<std::string_view>& words);
  std::string read_range(const std::vector<std::string_view>& words);
  std::string read_frame(const std::vector<std::string_view>& words);
  std::string read_call(std::vector<std::string_view> words);

  std::string source_;
  PhaseRules& rules_;
};

}  // namespace tauprof
