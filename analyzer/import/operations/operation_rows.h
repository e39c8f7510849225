// The rows of an operation trace, from its table.
#pragma once

#include <string>
#include <string_view>

#include "import/operations/csv_reader.h"
#include "model/operation_trace.h"
#include "model/status.h"

namespace tauprof {

// Fails with the row or column that cannot be read. The message names no file.
Status read_operation_rows(CsvReader& table, OperationTrace& trace);

// Whether this is the first line of such a table.
bool is_heading_of_operations(std::string_view line);

}  // namespace tauprof
