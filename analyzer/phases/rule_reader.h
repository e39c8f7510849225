// Reads the lines of a rule file (phase_rules.h) and appends them to lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/status.h"
#include "phases/rule.h"

namespace tauprof {

class RuleReader {
 public:
  // `source`: the file's name in errors. `rules` must outlive the reader.
  RuleReader(std::string source, RuleLists& rules) : source_(std::move(source)), rules_(rules) {}
  Status read(std::string_view text);

 private:
  // These return what is wrong with the line; empty: nothing.
  std::string read_line(const std::vector<std::string_view>& words);
  std::string read_range(const std::vector<std::string_view>& words);
  std::string read_frame(const std::vector<std::string_view>& words);
  std::string read_call(std::vector<std::string_view> words);

  std::string source_;
  RuleLists& rules_;
};

}  // namespace tauprof
