#include "operations/job_facts.h"

#include <charconv>
#include <string>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

// 0: the description does not say.
Status read_size(const OperationTrace& trace, const char* name, int64_t& size) {
  size = 0;
  const auto found = trace.job.find(name);
  if (found == trace.job.end()) return Status::ok();
  const std::string& text = found->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error == std::errc() && end == text.data() + text.size() && size > 0 && size <= kMostRanks) return Status::ok();
  return Status::error("meta.yaml: " + std::string(name) + " is '" + text + "'; it must be a number of ranks");
}

}  // namespace

Status read_job_facts(const OperationTrace& trace, JobFacts& facts) {
  int64_t dp = 0, pp = 0, tp = 0, dsp = 0, world = 0;
  for (const auto& [name, size] : {std::pair("dp_size", &dp), std::pair("pp_size", &pp), std::pair("tp_size", &tp),
                                   std::pair("dsp_size", &dsp), std::pair("world_size", &world)})
    if (Status status = read_size(trace, name, *size); !status.is_ok()) return status;
  if (dsp == 0)
    return Status::error("meta.yaml: no dsp_size, which decides whether gradients are reduced; add it (1 if not used)");
  const auto factors = {dp, pp, tp, dsp};
  int64_t product = 1;
  for (const int64_t factor : factors) product = product > kMostRanks ? product : product * factor;
  if (world > 0 && product > 0 && product != world)
    return Status::error("meta.yaml: world_size is " + std::to_string(world) + ", but dp_size · pp_size · tp_size · " +
                         "dsp_size is " + std::to_string(product) + "; correct the sizes");
  facts.dsp_size = static_cast<int32_t>(dsp);
  facts.world_size = static_cast<int32_t>(world);
  return Status::ok();
}

}  // namespace tauprof
