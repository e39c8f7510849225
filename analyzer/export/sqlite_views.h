// Views that answer the questions of the user guide from the tables of a run, and the indices that they need.
#pragma once

#include <span>
#include <string_view>

namespace tauprof {

// SQL statements, in their order.
std::span<const std::string_view> sqlite_views();

}  // namespace tauprof
