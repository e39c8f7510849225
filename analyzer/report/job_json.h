// The report on an imported operation trace as JSON: section "whatif".
#pragma once

#include "replay/training_job/straggler_answers.h"
#include "report/json_values.h"

namespace tauprof {

Json whatif_json(const StragglerAnswers& answers);

}  // namespace tauprof
