// Finds the parts that `tauprof run` needs: beside this executable, in an installation or in a build tree.
#pragma once

#include <string>

namespace tauprof {

// The path of a part of tauprof, which is relative to the folder of libraries ("libtauprof.so"), or of a program beside
// this executable. An environment variable may name another path. Empty if it is not found, after printing an error.
std::string find_in_library_folder(const std::string& part, const char* variable);
std::string find_program(const std::string& name, const char* variable);

}  // namespace tauprof
