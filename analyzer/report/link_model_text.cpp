#include "report/link_model_text.h"

#include <algorithm>

#include "limits/analysis_limits.h"
#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

std::string sizes_text(const LinkFit& fit) {
  const std::string from = size_text(fit.from_bytes);
  if (fit.from_bytes == fit.to_bytes) return from + " only";
  return fmt::format("{}: {} to {}", fit.sizes, from, size_text(fit.to_bytes));
}

std::string why_no_line(const LinkFit& fit) {
  if (fit.unknown() == LinkUnknown::kOneSize) return "one size";
  if (fit.unknown() == LinkUnknown::kFewSizes) return fmt::format("fewer than {} sizes", kFewestSizes);
  return fmt::format("largest size under {} x smallest", kLeastSpread);
}

std::string algorithm_text(const LinkFit& fit) {
  if (fit.kind.algorithm == CollectiveAlgorithm::kUnknown) return "-";
  return std::string(name_of(fit.kind.algorithm)) + (fit.is_inferred ? "*" : "");
}

void fit_line(TextLines& lines, const LinkFit& fit) {
  const std::string kind = fmt::format("{:<14} {:>5} {:>5} {:<9} {:>5} {:<28}", name_of(fit.kind.operation),
                                       fit.kind.ranks, fit.kind.hosts > 0 ? std::to_string(fit.kind.hosts) : "-",
                                       algorithm_text(fit), fit.steps, sizes_text(fit));
  if (!fit.line) {
    lines.line("  {} not identifiable: {}", kind, why_no_line(fit));
    return;
  }
  const auto alpha = fit.alpha_us(), beta = fit.beta_gb_per_s();
  lines.line("  {} {:>11} {:>13} {:>6.3f} {:>11}", kind, alpha ? fmt::format("{:.2f} us", *alpha) : "-",
             beta ? fmt::format("{:.2f} GB/s", *beta) : "-", fit.line->r2, percent_text(fit.line->max_error));
}

template <class Condition>
bool any_fit(const LinkModel& links, Condition&& condition) {
  return std::any_of(links.fits.begin(), links.fits.end(), condition);
}

}  // namespace

std::string links_text(const LinkModel& links) {
  if (links.fits.empty()) return {};
  TextLines lines;
  lines.line("\nLATENCY AND BANDWIDTH   (transfers without waiting: time = alpha x steps + bus bytes / beta)");
  lines.line("  {:<14} {:>5} {:>5} {:<9} {:>5} {:<28} {:>11} {:>13} {:>6} {:>11}", "operation", "ranks", "hosts",
             "algorithm", "steps", "sizes", "alpha", "beta", "R2", "worst error");
  for (size_t i = 0; i < std::min(links.fits.size(), kMostTableLines); ++i) fit_line(lines, links.fits[i]);
  lines.left_out(links.fits.size(), kMostTableLines);
  if (any_fit(links,
              [](const LinkFit& fit) { return fit.kind.algorithm == CollectiveAlgorithm::kUnknown && fit.line; }))
    lines.line("  algorithm -: not known; the steps are those of a ring");
  if (any_fit(links, [](const LinkFit& fit) { return fit.line && fit.unknown() != LinkUnknown::kNothing; }))
    lines.line("  alpha -, beta -: not identifiable, too small a part of these transfers");
  if (any_fit(links, [](const LinkFit& fit) { return fit.is_inferred; }))
    lines.line("  *: told from the latencies at several communicator sizes");
  return lines.take();
}

}  // namespace tauprof
