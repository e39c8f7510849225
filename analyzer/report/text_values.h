// How values are written, in reports and in the words of findings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tauprof {

// How the text report writes shares, sizes, and texts from logs that must fit on a line.
// Example: 12.3 %; - if there is none.
std::string percent_text(const std::optional<double>& share);
// Example: 4.00 MiB; - if it is not known.
std::string size_text(const std::optional<int64_t>& bytes);
// For a terminal (model/terminal_text.h), with at most `width` bytes; keeps the start.
std::string shortened(const std::string& text, size_t width);
// Likewise, but keeps the end, which for a path is the file and the line.
std::string shortened_front(const std::string& text, size_t width);

// A time in the unit that suits it, with four digits: 12.35 ms.
std::string duration_text(double ns);
// One that a replay predicts: with the digits that its error bears, three at most; without a known error two.
// 236.04 ms, off by 1.6 ms: 236 ms; off by 30 ms: 240 ms; nobody knows: 240 ms.
std::string predicted_text(double ns, std::optional<double> error_ns);
// A time that lies between two others, with no more digits than that and the error bear: "5.12 ms (5.0 ms to 5.3 ms)".
// Where these are further apart than the share of `step_ns` up to which a price is one number, "5.0 ms to 5.3 ms";
// where they are next to nothing apart, `text`.
struct Between {
  double low_ns, high_ns;
};
std::string with_bounds(const std::string& text, Between bounds, std::optional<double> error_ns, double step_ns);

}  // namespace tauprof
