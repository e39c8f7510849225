// Tells sources of imports apart, whatever they are called: what an import writes down, so that a second one of the
// same source into the same folder is seen.
#pragma once

#include <cstdint>
#include <string>

namespace tauprof {

// Of a file's size, start and end, in hexadecimal: traces with the same are the same, and of large ones little is read.
// Empty if the file cannot be read.
std::string source_digest(const std::string& path);

inline constexpr char kSourceDigest[] = "source_digest";  // the attribute that has it

}  // namespace tauprof
