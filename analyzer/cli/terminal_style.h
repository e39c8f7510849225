// How the terminal on standard output wants its text.
#pragma once

#include "report/text_style.h"

namespace tauprof {

// As wide as COLUMNS says where it is exported, else as the terminal, else the usual width; coloured on a terminal
// unless NO_COLOR is set (no-color.org) or TERM is dumb.
TextStyle style_of_stdout();

}  // namespace tauprof
