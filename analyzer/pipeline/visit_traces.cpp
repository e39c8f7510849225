#include "pipeline/visit_traces.h"

#include <algorithm>
#include <string>

#include "pipeline/complete_trace.h"
#include "read/load_process.h"
#include "symbols/native_symbols.h"

namespace tauprof {
namespace {

Status changed(const std::string& file) {
  return Status::error(file + ": changed while it was read, its process still runs; export it when that has ended");
}

// All ranks of one file.
Status visit_file(const std::vector<RankTimeline>& ranks, const std::string& file, const PhaseRules& rules,
                  NativeSymbols& symbols, const TraceVisitor& visit) {
  ProcessTrace trace;
  if (Status status = load_process(file, trace); !status.is_ok()) return status;
  complete_trace(trace, rules, symbols);
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    if (ranks[rank].file != file) continue;
    const auto device = std::find_if(trace.devices.begin(), trace.devices.end(),
                                     [&](const DeviceTrace& one) { return one.device == ranks[rank].device; });
    if (device == trace.devices.end() || device->spans.size() != ranks[rank].spans ||
        trace.calls.size() != ranks[rank].calls)
      return changed(file);
    if (Status status = visit(rank, trace, *device); !status.is_ok()) return status;
  }
  return Status::ok();
}

}  // namespace

Status visit_traces(const std::vector<RankTimeline>& ranks, const PhaseRules& rules, const TraceVisitor& visit,
                    const std::function<void(size_t, size_t)>& progress) {
  std::vector<std::string> files;
  for (const RankTimeline& rank : ranks)
    if (std::find(files.begin(), files.end(), rank.file) == files.end()) files.push_back(rank.file);
  NativeSymbols symbols;
  for (size_t i = 0; i < files.size(); ++i) {
    if (Status status = visit_file(ranks, files[i], rules, symbols, visit); !status.is_ok()) return status;
    if (progress) progress(i + 1, files.size());
  }
  return Status::ok();
}

}  // namespace tauprof
