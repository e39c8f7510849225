#include "report/statement_text.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "limits/analysis_limits.h"
#include "report/rank_words.h"
#include "report/text_values.h"

namespace tauprof {
namespace {

// Three digits of a mean, all of a whole number.
std::string number_text(double number) {
  constexpr double kWholeFrom = 999.5;
  const bool is_whole = number == std::nearbyint(number) || number >= kWholeFrom;
  return is_whole ? fmt::format("{:.0f}", number) : fmt::format("{:.3g}", number);
}

std::string bytes_text(double number) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB"};
  size_t unit = 0;
  for (; number >= 999.5 && unit + 1 < std::size(kUnits); ++unit) number /= 1000;
  return fmt::format("{} {}", number_text(number), kUnits[unit]);
}

std::string with_unit(std::string number, const char* unit) { return *unit == '\0' ? number : number + " " + unit; }

// At the start of a sentence a list that ends in a clause of its own ends in a comma.
std::string started(std::string list) {
  list.front() = static_cast<char>(std::toupper(list.front()));
  return list.find(", every") == std::string::npos ? list : list + ",";
}

struct PartText {
  std::string operator()(const std::string& words) const { return words; }
  std::string operator()(const Duration& time) const { return duration_text(time.ns); }
  std::string operator()(const Forecast& time) const {
    const std::string text = predicted_text(time.ns, time.error_ns);
    return with_bounds(text, {time.low_ns, time.high_ns}, time.error_ns, time.instead_of_ns);
  }
  std::string operator()(const Share& share) const { return share_text(share.part, share.decimals); }
  std::string operator()(const Count& count) const {
    std::string number = number_text(count.number);
    return with_unit(number, number == "1" ? count.one : count.many);
  }
  std::string operator()(const Volume& bytes) const { return bytes_text(bytes.number); }
  std::string operator()(const Amount& amount) const {
    return with_unit(fmt::format("{:.{}g}", amount.value, amount.digits), amount.unit);
  }
  std::string operator()(const Reading& reading) const {
    return with_unit(fmt::format("{:.{}f}", reading.value, reading.decimals), reading.unit);
  }
  std::string operator()(const Ranks& ranks) const {
    return ranks.starts_sentence ? started(ranks_in_words(ranks.numbers)) : ranks_in_words(ranks.numbers);
  }
  std::string operator()(const Steps& steps) const {
    return steps.starts_sentence ? started(steps_in_words(steps.numbers)) : steps_in_words(steps.numbers);
  }
};

}  // namespace

std::string text_of(const Statement& statement) {
  std::string text;
  for (const Statement::Part& part : statement.parts()) text += std::visit(PartText(), part);
  return text;
}

std::string share_text(double part, int decimals) {
  const bool is_tiny = decimals > 0 && part > 0 && part < kPrintsAsNothing;
  return is_tiny ? fmt::format("{:.2g} %", 100 * part) : fmt::format("{:.{}f} %", 100 * part, decimals);
}

}  // namespace tauprof
