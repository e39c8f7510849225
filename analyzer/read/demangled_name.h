// The name of a kernel as its programmer wrote it. Recorders keep the compiler's spelling, in which an anonymous
// namespace holds the name of the source file: rules that look for words in names would find them there.
#pragma once

#include <string>

namespace tauprof {

// `name` itself where it is no such spelling.
std::string demangled_name(std::string name);

}  // namespace tauprof
