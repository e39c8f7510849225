// The command line as data, for the manual page and the shells' completion.
#pragma once

#include <string>
#include <vector>

namespace tauprof {

struct OptionDescription {
  std::vector<std::string> names;  // "-o", "--dir"; of a positional argument its name: "DIR"
  std::string meaning;
  std::vector<std::string> choices;  // empty: any value
  bool is_positional = false;
  bool takes_value = false;
};

struct CommandDescription {
  std::string name, meaning, footer;
  std::vector<OptionDescription> options;
};

}  // namespace tauprof
