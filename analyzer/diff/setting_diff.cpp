#include <map>
#include <set>
#include <utility>

#include "diff/comparisons.h"

namespace tauprof {
namespace {

using Name = std::pair<std::string, std::string>;  // group, name
using Facts = std::map<Name, std::string>;         // of a run

std::string listed(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + text;
  return list;
}

Facts facts_of(const RunFacts& run) {
  Facts facts{{{"run", "ranks"}, std::to_string(run.ranks)},    {{"run", "hosts"}, std::to_string(run.hosts.size())},
              {{"run", "devices"}, listed(run.devices)},        {{"run", "source"}, run.source},
              {{"run", "steps_detected_by"}, run.steps_source}, {{"run", "command"}, run.command}};
  if (run.world_size > 0) facts[{"run", "world_size"}] = std::to_string(run.world_size);
  for (const auto& [name, version] : run.versions) facts[{"versions", name}] = version;
  for (const auto& [name, values] : run.settings) {
    std::vector<std::string> texts;
    for (const auto& [value, ranks] : values) texts.push_back(value);
    facts[{"settings", name}] = listed(texts);
  }
  return facts;
}

// The values of a side's runs; one that a run lacks is empty.
using Values = std::map<Name, std::set<std::string>>;

Values values_of(const std::vector<Facts>& runs, const std::set<Name>& names) {
  Values values;
  for (const Name& name : names)
    for (const Facts& run : runs) {
      const auto found = run.find(name);
      values[name].insert(found == run.end() ? std::string() : found->second);
    }
  return values;
}

std::vector<std::string> known(const std::set<std::string>& values) {
  std::vector<std::string> result;
  for (const std::string& value : values)
    if (!value.empty()) result.push_back(value);
  return result;
}

}  // namespace

std::vector<SettingDiff> compare_settings(const std::vector<AnalyzedRun>& a, const std::vector<AnalyzedRun>& b) {
  std::vector<Facts> of_a, of_b;
  for (const AnalyzedRun& run : a) of_a.push_back(facts_of(run.report.facts));
  for (const AnalyzedRun& run : b) of_b.push_back(facts_of(run.report.facts));
  std::set<Name> names;
  for (const auto* runs : {&of_a, &of_b})
    for (const Facts& facts : *runs)
      for (const auto& [name, value] : facts) names.insert(name);
  const Values values_a = values_of(of_a, names), values_b = values_of(of_b, names);
  std::vector<SettingDiff> result;
  for (const Name& name : names)
    if (values_a.at(name) != values_b.at(name))
      result.push_back({name.first, name.second, known(values_a.at(name)), known(values_b.at(name))});
  return result;
}

}  // namespace tauprof
