// Whether a timeline holds together: what is an index in it lies within what it indexes. A file's checksums tell of
// accidents; this keeps a file that somebody made from reading or writing elsewhere.
#pragma once

#include "model/reduced_log.h"

namespace tauprof {

bool is_sound(const ReducedLog& log);

}  // namespace tauprof
