// The word most likely meant by a misspelt one.
#pragma once

#include <string>
#include <vector>

namespace tauprof {

// The one of `words` that is the fewest edits away (a letter more, less, other, or two exchanged); empty if none is
// close: at most a third of the letters.
std::string nearest_word(const std::string& misspelt, const std::vector<std::string>& words);

}  // namespace tauprof
