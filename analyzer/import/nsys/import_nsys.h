// `tauprof import nsys`: turns databases of `nsys export --type sqlite` into logs, one for each process that used a
// device.
//
// nsys does not record ranks, but for MPI's. Else a file with one such process has the rank that its name says
// (nsys profile -o report-rank%q{RANK}), and the others are numbered by file, device and process: a file of torchrun on
// a host has its ranks in the order of their devices. Which rank that is decides no time.
#pragma once

#include <string>
#include <vector>

#include "import/import_counts.h"
#include "import/log_place.h"
#include "model/status.h"

namespace tauprof::nsys {

// `sources`: databases, and directories of them. Fails only if nothing can be imported.
Status import_nsys(const std::vector<std::string>& sources, const LogPlace& place, kineto::ImportSummary& summary);

}  // namespace tauprof::nsys
