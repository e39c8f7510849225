// The files of an input, by what they are: the one place that decides what a path is.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "import/input_kind.h"
#include "model/status.h"

namespace tauprof {

struct InputFile {
  std::string path;
  InputKind kind;
};

struct InputFiles {
  std::vector<std::string> log_folders;  // with *.tauprof files, and whatever else lies there
  std::vector<InputFile> files;          // in the order of their paths, of the kinds that are known
  std::vector<std::string> doubtful;     // of names that traces have, but no traces as far as was seen
  std::vector<std::string> others;

  std::vector<std::string> of(InputKind kind) const;
};

// Whether this is a folder of logs.
bool holds_logs(const std::string& path);

// Adds a file, or the files of a folder and of the folders in it, which torchtitan (iteration_10/rank0_trace.json) and
// others make for each time that they record. Hidden files and what symbolic links to folders name are left out. Fails
// if there is no such path, or it cannot be listed itself.
Status find_inputs(const std::string& path, InputFiles& inputs);

}  // namespace tauprof
