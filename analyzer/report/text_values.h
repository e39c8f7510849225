// How the text report writes shares, sizes, and texts from logs that must fit on a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tauprof {

// Example: 12.3 %; - if there is none.
std::string percent_text(const std::optional<double>& share);
// Example: 4.00 MiB; - if it is not known.
std::string size_text(const std::optional<int64_t>& bytes);
// For a terminal (model/terminal_text.h), with at most `width` bytes; keeps the start.
std::string shortened(const std::string& text, size_t width);
// Likewise, but keeps the end, which for a path is the file and the line.
std::string shortened_front(const std::string& text, size_t width);

}  // namespace tauprof
