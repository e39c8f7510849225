// `tauprof import ops-csv`: turns an operation trace, with the description of its job, into one log.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "import/log_place.h"
#include "model/operation_trace.h"
#include "model/status.h"

namespace tauprof {

struct OperationImport {
  std::string table;  // that was read
  std::string log;    // the log written
  size_t operations = 0;
  size_t ranks = 0;
  size_t steps = 0;
};

// `source`: the trace (.csv or .csv.gz), or a directory with one; meta.yaml lies beside it. `check` says whether the
// trace can be used; nothing is written if not.
Status import_operations(const std::string& source, const LogPlace& place,
                         const std::function<Status(const OperationTrace&)>& check, OperationImport& result);

}  // namespace tauprof
