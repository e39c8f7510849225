#include "report/json_sections.h"

namespace tauprof {
namespace {

std::optional<CollectiveAlgorithm> algorithm(const LinkFit& fit) {
  return when(fit.kind.algorithm != CollectiveAlgorithm::kUnknown, fit.kind.algorithm);
}

auto of_line(double TransferLine::*value) {
  return [value](const LinkFit& fit) { return fit.line ? std::optional((*fit.line).*value) : std::nullopt; };
}

}  // namespace

Fields<LinkFit> fields_of(const LinkFit*) {
  return {"LinkFit",
          "Time of a collective against its size: alpha · steps + factor · size / beta",
          {
              {"op", [](const LinkFit& f) { return f.kind.operation; }, "the operation"},
              {"ranks", [](const LinkFit& f) { return f.kind.ranks; }, "of the communicator, n"},
              {"hosts", [](const LinkFit& f) { return when(f.kind.hosts > 0, f.kind.hosts); },
               "that it spans; `null`: not known"},
              {"algorithm", algorithm, "by which NCCL carries it out; `null`: not known"},
              {"algorithm_evidence",
               [](const LinkFit& f) { return when(algorithm(f).has_value(), f.is_inferred ? "inferred" : "recorded"); },
               "`recorded`, `inferred`"},
              {"steps", &LinkFit::steps, "by which the latency is divided"},
              {"from_bytes", &LinkFit::from_bytes, "the smallest size"},
              {"to_bytes", &LinkFit::to_bytes, "the largest"},
              {"sizes", &LinkFit::sizes, "how many there are"},
              {"count", &LinkFit::count, "of how many collectives"},
              {"alpha_us", &LinkFit::alpha_us, "latency of a step in µs"},
              {"beta_gb_per_s", &LinkFit::beta_gb_per_s, "bandwidth of the busiest link in 10⁹ bytes/s"},
              {"r2", of_line(&TransferLine::r2),
               "R² of the logarithms of the times; `null`, as the errors, without a line"},
              {"mean_rel_error", of_line(&TransferLine::mean_error), "mean relative error over the sizes"},
              {"max_rel_error", of_line(&TransferLine::max_error), "the largest"},
              {"identifiable", [](const LinkFit& f) { return f.unknown() == LinkUnknown::kNothing; },
               "both latency and bandwidth are known"},
              {"not_identifiable_because",
               [](const LinkFit& f) { return when(f.unknown() != LinkUnknown::kNothing, f.unknown()); },
               "`null` if both are known. There is no line with the first three"},
          }};
}

}  // namespace tauprof
