// The content of findings, checks and the verdict, as data: words, and values of a few kinds, each in its own unit.
// Only the report writes them as text (report/statement_text.h): it chooses digits, units and plurals.
//
//   said("they take ", Duration{time}, " per rank and step; most of it ", product.function)
//
// A statement is a list of parts, not a row of a table of claims: each claim is made in one place, where its words
// depend on the case (one rank or several, all steps or some), so a table would say everything a second time.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace tauprof {

// "12.35 ms".
struct Duration {
  double ns;
};
// A time that a replay predicts instead of another, with the digits that its error bears; an unknown error bears two.
// "12 ms", or with bounds "12 ms (11 ms to 13 ms)".
struct Forecast {
  double ns;
  std::optional<double> error_ns;
  double instead_of_ns;
  double low_ns, high_ns;  // both as `ns` where it has no bounds
};
// A part of 1: "47.4 %".
struct Share {
  double part;
  int decimals = 1;
};
// Of things, or their mean: "12", "1 copy", "2.5 copies".
struct Count {
  double number;
  const char* one = "";
  const char* many = "";
};
// "3.21 GB".
struct Volume {
  double number;
};
// A measure in a unit that suits it, with so many significant digits: "3.214 GB/s".
struct Amount {
  double value;
  const char* unit;
  int digits = 3;
};
// The same with so many decimals, of what is known to some fixed limit: "12.3 s".
struct Reading {
  double value;
  const char* unit;
  int decimals = 1;
};
// Rising, at least one: "rank 3", "ranks 0, 1, 4", "16 ranks, every 4th from 0 on".
struct Ranks {
  std::vector<int32_t> numbers;
  bool starts_sentence = false;
};
struct Steps {
  std::vector<int64_t> numbers;
  bool starts_sentence = false;
};

inline Reading in_seconds(int64_t ns) { return {static_cast<double>(ns) / 1e9, "s"}; }

class Statement {
 public:
  using Part = std::variant<std::string, Duration, Forecast, Share, Count, Volume, Amount, Reading, Ranks, Steps>;

  Statement() = default;
  template <std::convertible_to<std::string_view> Words>
  Statement(const Words& words) {
    append(words);
  }

  // Words, values, whole numbers and other statements.
  template <class... Parts>
  Statement& add(const Parts&... parts) {
    (append(parts), ...);
    return *this;
  }
  // One more clause, behind a semicolon; nothing if it is empty.
  Statement& also(const Statement& clause) {
    return clause.empty() ? *this : empty() ? add(clause) : add("; ", clause);
  }

  bool empty() const { return parts_.empty(); }
  const std::vector<Part>& parts() const { return parts_; }

 private:
  template <class Added>
  void append(const Added& part) {
    if constexpr (std::is_same_v<Added, Statement>)
      parts_.insert(parts_.end(), part.parts_.begin(), part.parts_.end());
    else if constexpr (std::integral<Added>)
      parts_.emplace_back(Count{static_cast<double>(part)});
    else if constexpr (!std::convertible_to<Added, std::string_view>)
      parts_.emplace_back(part);
    else if (const std::string_view words = part; !words.empty())
      parts_.emplace_back(std::string(words));
  }

  std::vector<Part> parts_;
};

template <class... Parts>
Statement said(const Parts&... parts) {
  return Statement().add(parts...);
}

}  // namespace tauprof
