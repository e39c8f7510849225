// The sections on communication of the JSON report: "collectives", "communication" and "messages".
#pragma once

#include "report/json_values.h"
#include "report/report.h"

namespace tauprof {

Json collectives_json(const RunMetrics& metrics);
Json communication_json(const RunMetrics& metrics);
Json messages_json(const MessageTable& messages);

}  // namespace tauprof
