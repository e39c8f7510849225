// Where the parts that `tauprof run` puts in front of a command lie: beside this executable, in an installation or in a
// build tree.
#pragma once

#include <string>

namespace tauprof {

// A part, relative to the folder of libraries ("libtauprof.so"), or to the executable's. `variable` may name another
// place. Empty: not found, and it has been said.
std::string find_in_library_folder(const std::string& part, const char* variable);
std::string find_program(const std::string& name, const char* variable);

}  // namespace tauprof
