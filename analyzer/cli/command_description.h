// The command line as data, for the manual page and the shells' completion.
#pragma once

#include <string>
#include <vector>

namespace tauprof {

struct OptionDescription {
  std::vector<std::string> names;  // "-o", "--dir"; of a positional argument its name: "DIR"
  std::string meaning;
  std::vector<std::string> choices;  // empty: any value
  std::vector<std::string> words;    // that a value may have, among others, for completion
  std::string value;                 // the placeholder for it in a text: "FILE", "off|slow|all"
  std::string only_with;             // another option; empty: none
  bool is_list = false;              // of such words, separated by commas
  bool is_positional = false;
  bool takes_value = false;
  bool is_required = false;
  bool is_repeated = false;
};

struct CommandDescription {
  std::string name, meaning, footer;
  std::vector<OptionDescription> options;
};

}  // namespace tauprof
