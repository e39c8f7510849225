// The section of the text report on an imported operation trace.
#pragma once

#include <string>

#include "operations/straggler_answers.h"

namespace tauprof {

std::string job_text(const StragglerAnswers& answers);

}  // namespace tauprof
