#include "html/html_page.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <vector>

#include "findings/finding_kind.h"
#include "html/page_parts.h"
#include "model/ledger.h"
#include "report/json_documents.h"
#include "report/json_values.h"

namespace tauprof {
namespace {

// JSON that holds no tag: in JSON, '<' occurs in strings only, where it may be spelled out.
std::string without_tags(std::string_view json) {
  std::string result;
  result.reserve(json.size() + json.size() / 64);
  for (const char c : json) {
    if (c == '<')
      result += "\\u003c";
    else
      result += c;
  }
  return result;
}

// Replaces the first `mark` from `from` on; returns where what follows starts.
size_t append_until(std::string& page, std::string_view text, size_t from, std::string_view mark) {
  const size_t at = text.find(mark, from);
  page += text.substr(from, at - from);
  return at + mark.size();
}

// The page's tables of findings, checks and ledger rows: where its timeline shows each kind of finding, and the class
// of its style sheet that has the row's colour.
std::string page_tables() {
  Json places = Json::object(), rows = Json::array();
  for (const FindingKind& kind : kFindingKinds) places[std::string(kind.name)] = name_of(kind.place);
  for (const LedgerRowKind& kind : kLedgerRowKinds)
    rows.push_back({{"name", kind.name}, {"label", kind.label}, {"colour", kind.colour}});
  return Json{{"places_of_findings", places}, {"ledger_rows", rows}}.dump();
}

// A list of texts in which nothing needs escaping.
std::string packed_steps(const std::vector<ShownStep>& steps, Packing packing) {
  std::string list;
  for (const ShownStep& step : steps)
    list += (list.empty() ? "[\"" : ",\"") + packed_text(step_json(step), packing) + "\"";
  return list.empty() ? "[]" : list + "]";
}

// FNV-1a, in hexadecimal digits.
std::string identity_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::array<char, 16> digits;
  return std::string(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), hash, 16).ptr);
}

}  // namespace

PageFiles html_page(const Report& report, const PageTimeline& timeline, const std::string& beside) {
  PageFiles files;
  const std::string steps = packed_steps(timeline.steps, Packing::kSmall);
  const std::string identity = identity_of(steps);
  const bool has_file = !timeline.beside.empty() && !beside.empty();
  if (has_file)
    files.beside = "tauprofSteps(\"" + identity + "\"," + packed_steps(timeline.beside, Packing::kQuick) + ");\n";
  const std::string_view frame = embedded_page();
  std::string& page = files.page;
  // The identity is the nonce, too: the one script from elsewhere that may run is the one that this page's script adds.
  size_t at = append_until(page, frame, 0, "@nonce@");
  if (has_file) page += "'nonce-" + identity + "'";
  at = append_until(page, frame, at, "@report@");
  page += packed_text(json_report(report));
  at = append_until(page, frame, at, "@tables@");
  page += page_tables();
  at = append_until(page, frame, at, "@first-screen@");
  page += without_tags(first_screen_json(report));
  at = append_until(page, frame, at, "@timeline@");
  page += packed_text(timeline_json(timeline, beside, identity));
  at = append_until(page, frame, at, "@steps@");
  page += steps;
  page += frame.substr(at);
  return files;
}

}  // namespace tauprof
