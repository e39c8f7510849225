// The name of a function as its programmer wrote it. In the compiler's spelling, an anonymous namespace carries the
// name of the source file, where rules that look for words in names would find them.
#pragma once

#include <string>

namespace tauprof {

// Returns `name` unchanged if it is not in the compiler's spelling.
std::string demangled_name(std::string name);

}  // namespace tauprof
