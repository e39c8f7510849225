// A run as traces of PyTorch's profiler, one for each rank, for HolisticTraceAnalysis, TensorBoard and others.
#pragma once

#include <memory>
#include <string>

#include "export/run_writer.h"

namespace tauprof {

// Writes rank-N.json.gz into the directory `path`.
std::unique_ptr<RunWriter> kineto_writer(const std::string& path);

}  // namespace tauprof
