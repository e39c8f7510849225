// A comparison as it is given: for the terminal, for scripts, for continuous integration.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diff/diff.h"

namespace tauprof {

// In one line. Example: step 1.221 s → 1.102 s, −9.7 % (95 % interval −10.4 … −9.1 %, p = 2e-9)
std::string verdict_text(const Diff& diff);
// Why there is no verdict; empty if there is one.
std::string not_judged_because(const Diff& diff);

std::vector<std::string_view> diff_section_names();
// "ranks,kernels" as names of sections; empty with `complaint` set if one is not known.
std::vector<std::string> parse_diff_sections(const std::string& list, std::string& complaint);
// `sections`: what follows the verdict; empty: who and what explains the difference, on one screen.
std::string diff_text(const Diff& diff, const std::vector<std::string>& sections, size_t width);

// "tauprof.diff/1" (docs/diff.md), and its JSON schema.
std::string diff_json(const Diff& diff);
std::string diff_schema();

// As a comment on a pull request: the verdict, who and what explains it, and where the difference is.
std::string diff_markdown(const Diff& diff);
// One test, which fails where A is slower by more than chance, and by more than this many per cent if that is given.
std::string diff_junit(const Diff& diff, const std::optional<double>& fail_above);

}  // namespace tauprof
