// The program's answers as text for the terminal, and a checklist for continuous integration.
#pragma once

#include <string>
#include <vector>

#include "findings/health.h"
#include "report/report.h"
#include "report/text_style.h"
#include "report/whatif_report.h"
#include "report/why_report.h"

namespace tauprof {

// The verdict with its repairs, and the sections that were asked for.
std::string text_report(const Report& report, const TextStyle& style = {});
// Answers to what-if questions, as a table.
std::string whatif_text(const WhatIfReport& report, size_t width);
// Why a rank waited, in about ten lines.
std::string why_text(const WhyReport& report, size_t width);

// A line each: outcome, check, what was found, the limit.
std::string health_text(const std::vector<HealthCheck>& checks, const TextStyle& style);
// `run`: its id.
std::string health_markdown(const std::vector<HealthCheck>& checks, const std::string& run);
// A test for each check; one that cannot be told is skipped.
std::string health_junit(const std::vector<HealthCheck>& checks);

}  // namespace tauprof
