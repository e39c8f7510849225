// The options of commands whose results scripts and continuous integration take: --json, --markdown, --junit.
#pragma once

#include <functional>
#include <string>

#include "cli/command_line.h"

namespace tauprof {

struct OutputForms {
  std::string json, markdown, junit;

  // `what`: "checklist".
  void add_to(Command& command, const std::string& what);
  // Asked before the work, with a line where the answer is no: whether all can be written, and at most one of them to
  // standard output.
  bool can_be_written() const;
  bool takes_standard_output() const { return json == "-" || markdown == "-" || junit == "-"; }

  using Text = std::function<std::string()>;
  // Writes those that were asked for; false if that failed.
  bool write(const Text& as_json, const Text& as_markdown, const Text& as_junit) const;
};

}  // namespace tauprof
