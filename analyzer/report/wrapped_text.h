// Texts broken into lines between words. Columns are counted, not bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tauprof {

size_t columns_of(std::string_view utf8);
size_t lines_in(std::string_view text);

// Lines of at most `width` columns, each with its end; those after the first are indented. A word that is longer than a
// line is broken after a comma, or else stays whole. With more than `most_lines` the last one ends in "...".
std::string wrapped(std::string_view text, size_t width, size_t indent, size_t most_lines = 100);

// The same for each line of prose that is longer; it goes on below the text behind its label. Rows of tables stay
// whole.
std::string with_wrapped_prose(std::string_view text, size_t width);

// Items on lines, " · " between them; only an item that is longer than a line is broken.
std::string wrapped_items(std::string_view title, const std::vector<std::string>& items, size_t width, size_t indent);

}  // namespace tauprof
