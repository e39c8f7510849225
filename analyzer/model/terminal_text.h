// Texts from logs, traces, file names and the environment on their way to a terminal. Whoever wrote them may have put
// in what a terminal obeys: escape sequences, carriage returns, marks that turn the direction of text. All such texts
// pass through here, and nothing else judges characters.
#pragma once

#include <string>
#include <string_view>

namespace tauprof {

// The text with such characters spelled out: \x1b, \u202e; bytes that are no UTF-8 become U+FFFD.
std::string terminal_text(std::string_view text);
// The same for several lines: ends of lines stay.
std::string terminal_lines(std::string_view text);
// Each byte that is no UTF-8 spelled out as well: \xff.
std::string terminal_bytes(std::string_view text);
// UTF-8 whatever the text is: U+FFFD stands for what is not. For files, not for terminals.
std::string valid_utf8(std::string_view text);
// JSON with the characters that it lets through, but a terminal obeys, in JSON's own spelling: \u202e.
std::string terminal_json(std::string_view json);

}  // namespace tauprof
