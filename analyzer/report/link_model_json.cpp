#include "report/link_model_json.h"

#include "report/value_names.h"

namespace tauprof {
namespace {

Json reason_json(LinkUnknown unknown) {
  switch (unknown) {
    case LinkUnknown::kNothing:
      return nullptr;
    case LinkUnknown::kOneSize:
      return "one_size";
    case LinkUnknown::kFewSizes:
      return "few_sizes";
    case LinkUnknown::kNarrowSizes:
      return "narrow_sizes";
    case LinkUnknown::kLatency:
      return "alpha_in_noise";
    case LinkUnknown::kBandwidth:
      return "beta_in_noise";
    case LinkUnknown::kBoth:
      return "both_in_noise";
  }
  return nullptr;
}

Json fit_json(const LinkFit& fit) {
  const bool has_algorithm = fit.kind.algorithm != CollectiveAlgorithm::kUnknown;
  const auto of_line = [&](double TransferLine::* value) { return fit.line ? Json(*fit.line.*value) : Json(nullptr); };
  return {{"op", name_of(fit.kind.operation)},
          {"ranks", fit.kind.ranks},
          {"hosts", fit.kind.hosts > 0 ? Json(fit.kind.hosts) : Json(nullptr)},
          {"algorithm", has_algorithm ? Json(name_of(fit.kind.algorithm)) : Json(nullptr)},
          {"algorithm_evidence", has_algorithm ? Json(fit.is_inferred ? "inferred" : "recorded") : Json(nullptr)},
          {"steps", fit.steps},
          {"from_bytes", fit.from_bytes},
          {"to_bytes", fit.to_bytes},
          {"sizes", fit.sizes},
          {"count", fit.count},
          {"alpha_us", or_null(fit.alpha_us())},
          {"beta_gb_per_s", or_null(fit.beta_gb_per_s())},
          {"r2", of_line(&TransferLine::r2)},
          {"mean_rel_error", of_line(&TransferLine::mean_error)},
          {"max_rel_error", of_line(&TransferLine::max_error)},
          {"identifiable", fit.unknown() == LinkUnknown::kNothing},
          {"not_identifiable_because", reason_json(fit.unknown())}};
}

}  // namespace

Json alpha_beta_json(const LinkModel& links) {
  Json result = Json::array();
  for (const LinkFit& fit : links.fits) result.push_back(fit_json(fit));
  return result;
}

}  // namespace tauprof
