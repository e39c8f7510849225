// Changes texts: numbers become extreme, parts are repeated, moved and damaged.
#pragma once

#include <cstddef>
#include <string>

#include "fuzz/random_choice.h"

namespace tauprof {

std::string mutated_text(std::string text, Random& random, size_t most_bytes);

}  // namespace tauprof
