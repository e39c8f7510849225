// The trace files of an import, and what their names say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/status.h"

namespace tauprof::kineto {

// The files among `sources`, and the traces in its folders and theirs, by name, with what is named like one: the import
// says what is wrong with it. Fails if there are none.
Status list_sources(const std::vector<std::string>& sources, std::vector<std::string>& files);

// "dir/rank-0.pt.trace.json.gz" → "rank-0".
std::string stem_of(std::string_view path);

// From rank-0, rank_0, rank0, worker0, …_0.json or …_0.pt.trace.json; -1: the name does not tell.
int64_t rank_in_name(std::string_view path);

}  // namespace tauprof::kineto
