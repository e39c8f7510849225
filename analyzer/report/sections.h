// The sections of the text report, by the names that users ask for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"
#include "report/text_style.h"

namespace tauprof {

struct ReportSection {
  std::string_view name;
  std::string (*text)(const Report& report, const TextStyle& style);  // empty: the run has nothing for it
  bool needs_paths = false;                                           // RunChoice::has_paths
};

// In the order of the report.
const std::vector<ReportSection>& sections();
// Whether any of these needs paths.
bool need_paths(const std::vector<std::string>& names);

// "phases,ranks" as names, each one of `known`; "all" for every one. Empty with `complaint` set if one is not known.
std::vector<std::string> parse_names(const std::string& list, const std::vector<std::string_view>& known,
                                     std::string& complaint);
// "phases,ranks" as names, each known; "all" for every section. Empty with `complaint` set if one is not known.
std::vector<std::string> parse_sections(const std::string& list, std::string& complaint);

}  // namespace tauprof
