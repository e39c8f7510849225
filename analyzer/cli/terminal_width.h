// How wide the lines are that a terminal shows.
#pragma once

#include <cstddef>

namespace tauprof {

// Of what is written to `file`, within bounds in which texts are legible. COLUMNS is what the user asks for, also where
// the text goes to a file.
size_t terminal_width(int file);

}  // namespace tauprof
