// A finding: a claim with its evidence, what acting on it could give back, and what to do. It goes one way: a finder
// makes it whole (find_findings.h), the replay prices it and says what it is a part of (savings.h), and the report
// words it (statement_text.h). Nobody changes what a finder said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "findings/finding_kind.h"
#include "findings/statement.h"
#include "replay/repair.h"

namespace tauprof {

enum class Severity { kInfo, kWarning, kCritical };

// How much a finding says about its cause, in rising order: in which steps it is, what takes the time, why it does, and
// who holds up the others.
enum class Tells { kWhen, kWhat, kWhy, kWho };

struct Finding {
  // With the title and the advice of its kind.
  explicit Finding(FindingId kind, Severity how_severe = Severity::kInfo)
      : id(kind), severity(how_severe), title(kind_of(kind).title), advice(kind_of(kind).advice) {}

  const FindingKind& kind() const { return kind_of(id); }
  // Who holds up the others may be known, but not why, unless something of the same cause tells.
  bool is_why_known() const;

  FindingId id;
  Severity severity;
  Statement title;
  Statement evidence;
  Statement advice;
  std::vector<int32_t> ranks;              // empty: all
  std::vector<int64_t> steps;              // empty: all
  double cost_ns_per_step = 0;             // the time that it is about; 0: not known
  Severity at_most = Severity::kCritical;  // however much it saves
  Tells tells = Tells::kWhy;
  Repair repair;                // removed in a replay to measure the saving
  double least_saving = 0;      // as a share of the step: if the replay gives less, or nothing, this is no finding
  bool is_open = false;         // the records do not tell what it is, so a finding that does comes before it
  bool is_why_unknown = false;  // it tells who holds up the others, but not why
  // The source line that it is most about, "file:line function", or the place among the program's ranges and operators,
  // "forward > loss, after aten::view, before aten::item"; empty: not known.
  std::string where;
  double where_share = 0;  // of the finding's time, what lies there; 0: not known

  // From the replay.
  std::optional<double> saves_ns_per_step;  // none: not known, for this reason
  struct Range {
    double low, high;
  };
  std::optional<Range> saves_between;  // where it rests on waits whose source is assumed (replay/doubt.h) …
  std::vector<std::string> rests_on;   // … in these calls and kernels
  Statement saves_reason;              // empty: it is known
  std::optional<double> saves_there_ns_per_step;   // repaired on its ranks alone, where it was widened to all
  std::optional<double> saves_on_top_ns_per_step;  // of the other repairs, where by itself it saves too little
  // Of the saving, the time that another finding is about: the repair only hides it (one_cause.h).
  double hides_ns_per_step = 0;
  Statement hides;             // that finding's title
  std::string whatif;          // the repair as options of tauprof whatif; empty: none says it
  bool saves_nothing = false;  // something else holds up the steps as long
  std::vector<Finding> parts;  // of the same cause, which tell less
};

// How much a finding explains, by `ns`, what it saves or costs: which steps differ does not tell why, so what does
// comes first if it gives nearly as much. What it only hides is another finding's.
double weight_of(const Finding& finding, double ns);

// Whether a priced finding comes before another: what is worth repairing and known before what the records leave open,
// then what gives more. `step`: in ns.
bool is_better(const Finding& a, const Finding& b, double step);

// Of a finding that costs this share of all ranks' time.
Severity severity_of(double share);

}  // namespace tauprof
