// Whether a library named in LD_PRELOAD reaches a command: found as execvp finds it, scripts followed to their
// interpreter, the executable judged by its ELF headers and by what the loader does for privileged programs.
#pragma once

#include <string>

namespace tauprof {

enum class PreloadEffect {
  kTakes,
  kIgnored,    // the loader drops the preload, and so may all that the command starts
  kNotHere,    // not in this executable, but perhaps in what it starts
  kBreaks,     // the command would not start with it
  kNotFound,   // there is no such command
  kCannotRun,  // there is, but it may not be executed
};

struct PreloadCheck {
  PreloadEffect effect = PreloadEffect::kTakes;
  std::string reason;  // empty when it takes; else what is so, beginning with the file
};

// `search_path`: the value of PATH.
PreloadCheck check_preload(const std::string& command, const std::string& search_path);

}  // namespace tauprof
