#include <algorithm>

#include "findings/straggler_findings.h"
#include "report/section_lengths.h"
#include "report/text_documents.h"
#include "report/text_lines.h"
#include "report/text_values.h"
#include "report/value_names.h"
#include "report/wrapped_text.h"

namespace tauprof {
namespace {

constexpr double kLeastCharge = 0.005;  // of all that it waited; less would print as 0 %

std::string share_of(double part, double whole) { return fmt::format("{:.0f} %", whole > 0 ? 100 * part / whole : 0); }

std::string charge_text(const WhyCharge& charge) {
  if (!charge.late_rank) return "nobody";
  return fmt::format("rank {} ({})", *charge.late_rank, kCauseNames[static_cast<size_t>(charge.cause)]);
}

std::string charges_text(const WhyReport& report) {
  std::string text;
  size_t named = 0;
  for (const WhyCharge& charge : report.charges) {
    if (++named > kMostCharges || charge.ns < kLeastCharge * report.waited_ns) break;
    text += fmt::format("{}{} for {}", text.empty() ? "" : ", ", share_of(charge.ns, report.waited_ns),
                        charge_text(charge));
  }
  return text;
}

void summary_line(TextLines& lines, const WhyReport& report) {
  const std::string when = report.step
                               ? fmt::format("{} {}", report.unit, *report.step)
                               : fmt::format("{} {}{}", report.steps, report.unit, report.steps == 1 ? "" : "s");
  lines.line("rank {} waited {} in {} collective{} of {} ({}): {}", report.rank, duration_text(report.waited_ns),
             report.waits, report.waits == 1 ? "" : "s", when, duration_text(report.step_ns), charges_text(report));
}

void link_line(TextLines& lines, size_t number, const WhyLink& link, const WhyReport& report) {
  const std::string place = fmt::format("step {}, collective {} ({})", link.step, link.collective, link.operation);
  const std::string charged =
      report.first->late_rank ? fmt::format("{} for rank {}", duration_text(link.charged_ns), *report.first->late_rank)
                              : std::string("for nobody: it lies in the nature of a pipeline, or in starting up");
  const std::string who = link.waiter ? fmt::format("rank {}", *link.waiter) : std::string("the others");
  const bool names_late = !link.waiter && report.first->late_rank != link.came_late;
  lines.line("  {}. {}: {} waited {}{}, {}", number, place, who, duration_text(link.waited_ns),
             names_late ? fmt::format(" for rank {}", link.came_late) : std::string(), charged);
}

// Who came late, and from where: `before` is the next link of the chain; null: there is none.
void origin_line(TextLines& lines, const WhyLink& link, const WhyLink* before) {
  const bool says_when = link.waiter && *link.waiter != link.came_late;
  if (!says_when && before == nullptr) return;
  std::string text = fmt::format("rank {}", link.came_late);
  if (says_when) text += " came " + (link.after_ns > 0 ? duration_text(link.after_ns) + " later" : std::string("last"));
  if (before != nullptr)
    text += fmt::format("{} brought that from collective {}", says_when ? ", and" : "", before->collective);
  lines.line("     {}", text);
}

// The first links and the last ones.
void link_lines(TextLines& lines, const WhyReport& report) {
  const size_t n = report.links.size(), first = kMostChainLinks - 1;
  for (size_t i = 0; i < n; ++i) {
    if (n > kMostChainLinks && i >= first && i + 1 < n) {
      lines.line("     ... and so on through {} more", n - 1 - first);
      i = n - 1;
    }
    link_line(lines, i + 1, report.links[i], report);
    origin_line(lines, report.links[i], i + 1 < n ? &report.links[i + 1] : nullptr);
  }
}

void host_line(TextLines& lines, const WhyHost& host) {
  if (host.after.empty())
    lines.line("     its host was in {} for {} (call {})", host.before, duration_text(static_cast<double>(host.ns)),
               host.before_id);
  else
    lines.line("     its host made no call for {} between {} and {} (calls {}, {})",
               duration_text(static_cast<double>(host.ns)), host.before, host.after, host.before_id, host.after_id);
}

void cause_lines(TextLines& lines, const WhyReport& report) {
  if (!report.first || !report.first->late_rank) return;
  const std::string_view words = cause_in_words(report.first->cause);
  std::string shows;
  if (report.cause && !words.empty())
    shows = fmt::format(": {} {} in {} {}, the others' {}", report.cause->row,
                        duration_text(static_cast<double>(report.cause->own_ns)), report.unit, report.cause->step,
                        duration_text(static_cast<double>(report.cause->others_ns)));
  lines.line("{}: rank {}, {}{}", report.is_cut ? "The earliest that the analysed steps show" : "First cause",
             *report.first->late_rank, words.empty() ? "whose records do not say why" : words, shows);
  if (!report.cause) return;
  const WhyCause& cause = *report.cause;
  if (cause.host) host_line(lines, *cause.host);
  if (!cause.where.empty()) lines.line("     at {}", cause.where);
}

// "7:8"
std::string steps_of(const WhyReport& report) {
  int64_t first = report.cause ? report.cause->step : report.links.front().step, last = first;
  for (const WhyLink& link : report.links) {
    first = std::min(first, link.step);
    last = std::max(last, link.step);
  }
  return fmt::format("{}:{}", first, last);
}

}  // namespace

std::string why_text(const WhyReport& report, size_t width) {
  TextLines lines;
  if (!report.unknown_because.empty()) {
    lines.line("how long rank {} waited is not known: {}", report.rank, report.unknown_because);
  } else if (report.links.empty()) {
    lines.line("rank {} waited for nobody in {}", report.rank,
               report.step ? fmt::format("{} {}", report.unit, *report.step)
                           : fmt::format("{} {}s", report.steps, report.unit));
  } else {
    summary_line(lines, report);
    lines.line("The longest wait:");
    link_lines(lines, report);
    cause_lines(lines, report);
    lines.line("Tables: tauprof export -f sqlite --steps {} (blame, collective_members, ledger, calls)",
               steps_of(report));
  }
  return terminal_lines(with_wrapped_prose(lines.take(), width));
}

}  // namespace tauprof
