// The tables of an nsys database that hold events, into the logs of their processes. Device work and the calls that
// launched it have one correlation id, which the log keeps; ranges are on the thread that they were opened on.
//
//   CUPTI_ACTIVITY_KIND_KERNEL, _MEMCPY, _MEMSET, _GRAPH_TRACE, _SYNCHRONIZATION   device_activity
//   CUPTI_ACTIVITY_KIND_RUNTIME (of the driver, too)                               call
//   NVTX_EVENTS                                                                    range, mark
//
// https://docs.nvidia.com/nsight-systems/UserGuide/index.html, "SQLite Schema Reference".
#pragma once

#include <cstdint>
#include <functional>
#include <set>

#include "import/nsys/database.h"
#include "import/nsys/process_log.h"

namespace tauprof::nsys {

// The processes that have work on a device, by their numbers; 0: the database does not say of which it is.
std::set<int64_t> processes_with_work(const Database& database);

// The log of a process; null: none is written.
using LogOf = std::function<ProcessLog*(int64_t process)>;

// Fails where a table is damaged; what came before it is in the logs.
Status import_tables(const Database& database, const LogOf& log_of);

}  // namespace tauprof::nsys
