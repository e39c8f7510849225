// Answers what-if questions about a run, from a log directory.
#pragma once

#include <string>
#include <vector>

#include "pipeline/replayed_run.h"
#include "report/whatif_report.h"

namespace tauprof {

// An error if a question names what the run does not have: it says what the run has. Adds to `notes` as load_run.
Status answer_questions(const RunChoice& choice, const std::vector<Scenario>& scenarios, WhatIfReport& report,
                        std::vector<std::string>& notes);

}  // namespace tauprof
