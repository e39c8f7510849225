#include "html/html_page.h"

#include <string_view>

#include "findings/finding_kind.h"
#include "html/embedded_page.h"
#include "html/packed_text.h"
#include "html/timeline_json.h"
#include "model/ledger.h"
#include "report/json_report.h"
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

// The page's tables of findings and ledger rows: where its timeline shows each kind of finding, and the class of its
// style sheet that has the row's colour.
std::string page_tables() {
  Json places = Json::object(), colours = Json::object();
  for (const FindingKind& kind : kFindingKinds) places[std::string(kind.name)] = name_of(kind.place);
  for (const LedgerRowKind& kind : kLedgerRowKinds) colours[std::string(kind.name)] = kind.colour;
  return Json{{"places_of_findings", places}, {"colours_of_rows", colours}}.dump();
}

}  // namespace

std::string html_page(const Report& report, const PageTimeline& timeline) {
  const std::string_view frame = embedded_page();
  std::string page;
  size_t at = append_until(page, frame, 0, "@report@");
  page += without_tags(json_report(report));
  at = append_until(page, frame, at, "@tables@");
  page += page_tables();
  at = append_until(page, frame, at, "@timeline@");
  page += packed_text(timeline_json(timeline));
  page += frame.substr(at);
  return page;
}

}  // namespace tauprof
