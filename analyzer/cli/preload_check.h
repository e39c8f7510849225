// Whether a library named in LD_PRELOAD will be loaded into a command. Finds the command as execvp does, follows
// scripts to their interpreters, and looks at the executable's ELF headers and privileges.
#pragma once

#include <string>

namespace tauprof {

enum class PreloadEffect {
  kLoads,
  kIgnored,    // the loader ignores the preload, here and perhaps in programs that the command starts
  kNotHere,    // not loaded into this executable, but perhaps into those that it starts
  kBreaks,     // the command would not start with it
  kNotFound,   // there is no such command
  kCannotRun,  // the command may not be executed
};

struct PreloadCheck {
  PreloadEffect effect = PreloadEffect::kLoads;
  std::string reason;  // empty for kLoads; else starts with the file
};

// `search_path`: the value of PATH.
PreloadCheck check_preload(const std::string& command, const std::string& search_path);

}  // namespace tauprof
