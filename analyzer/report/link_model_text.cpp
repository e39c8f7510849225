#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "limits/analysis_limits.h"
#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

std::string sizes_text(const LinkFit& fit) {
  const std::string from = size_text(fit.from_bytes);
  if (fit.from_bytes == fit.to_bytes) return from + " only";
  return fmt::format("{}: {} to {}", fit.sizes, from, size_text(fit.to_bytes));
}

std::string algorithm_text(const LinkFit& fit) {
  if (fit.kind.algorithm == CollectiveAlgorithm::kUnknown) return "-";
  return std::string(name_of(fit.kind.algorithm)) + (fit.is_inferred ? "*" : "");
}

std::vector<std::string> cells_of(const LinkFit& fit) {
  std::vector<std::string> cells = {std::string(name_of(fit.kind.operation)),
                                    std::to_string(fit.kind.ranks),
                                    fit.kind.hosts > 0 ? std::to_string(fit.kind.hosts) : "-",
                                    algorithm_text(fit),
                                    std::to_string(fit.steps),
                                    sizes_text(fit)};
  if (!fit.line) {
    cells.insert(cells.end(), {"-", "-", "-", "-"});
    return cells;
  }
  const auto alpha = fit.alpha_us(), beta = fit.beta_gb_per_s();
  cells.insert(cells.end(),
               {alpha ? fmt::format("{:.2f} us", *alpha) : "-", beta ? fmt::format("{:.2f} GB/s", *beta) : "-",
                fmt::format("{:.3f}", fit.line->r2), percent_text(fit.line->max_error)});
  return cells;
}

template <class Condition>
bool any_fit(const LinkModel& links, Condition&& condition) {
  return std::any_of(links.fits.begin(), links.fits.end(), condition);
}

}  // namespace

std::string links_text(const LinkModel& links, size_t width) {
  if (links.fits.empty()) return {};
  TextTable table({{"operation", true},
                   {"ranks"},
                   {"hosts", false, 1},
                   {"algorithm", true, 4},
                   {"steps", false, 3},
                   {"sizes", true},
                   {"alpha"},
                   {"beta"},
                   {"R2"},
                   {"worst error", false, 2}});
  for (size_t i = 0; i < std::min(links.fits.size(), kMostTableLines); ++i) table.row(cells_of(links.fits[i]));
  TextLines lines;
  lines.left_out(links.fits.size(), kMostTableLines);
  const auto has_no_line = [&](LinkUnknown why) {
    return any_fit(links, [&](const LinkFit& fit) { return !fit.line && fit.unknown() == why; });
  };
  if (has_no_line(LinkUnknown::kOneSize)) lines.line("  not identifiable: from one size");
  if (has_no_line(LinkUnknown::kFewSizes)) lines.line("  not identifiable: from fewer than {} sizes", kFewestSizes);
  if (has_no_line(LinkUnknown::kNarrowSizes))
    lines.line("  not identifiable: where the largest size is under {} x the smallest", kLeastSpread);
  if (any_fit(links,
              [](const LinkFit& fit) { return fit.kind.algorithm == CollectiveAlgorithm::kUnknown && fit.line; }))
    lines.line("  algorithm -: not known; the steps are those of a ring");
  if (any_fit(links, [](const LinkFit& fit) { return fit.line && fit.unknown() != LinkUnknown::kNothing; }))
    lines.line("  alpha -, beta -: not identifiable, too small a part of these transfers");
  if (any_fit(links, [](const LinkFit& fit) { return fit.is_inferred; }))
    lines.line("  *: told from the latencies at several communicator sizes");
  return "\nLATENCY AND BANDWIDTH   (transfers without waiting: time = alpha x steps + bus bytes / beta)\n" +
         table.text(width) + lines.take();
}

}  // namespace tauprof
