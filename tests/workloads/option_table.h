// One row per option: its name, where its value goes, and what the help says of it.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "options.h"

namespace training {

struct Choice {
  std::string* value;
  std::vector<std::string> accepted;
};

using OptionTarget = std::variant<bool*, int*, double*, std::string*, Disturbances*, std::vector<int>*, Choice>;

struct OptionRow {
  const char* name;
  OptionTarget target;
  const char* help;
  double least = 0;  // of a number
};

struct OptionGroup {
  const char* title;
  std::vector<OptionRow> rows;
};

std::vector<OptionGroup> option_table(Options& options);

}  // namespace training
