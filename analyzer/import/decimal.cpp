#include "import/decimal.h"

#include <charconv>
#include <cstring>
#include <limits>

namespace tauprof::kineto {
namespace {

constexpr int kMaxExponent = 400;

std::string_view without_quotes(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// value·10 + digit, unless that does not fit.
bool push_digit(int64_t& value, int digit) {
  return !__builtin_mul_overflow(value, int64_t{10}, &value) && !__builtin_add_overflow(value, int64_t{digit}, &value);
}

struct Decimal {
  std::string_view whole;
  std::string_view fraction;
  int exponent = 0;
  bool is_negative = false;
};

std::string_view take_digits(std::string_view& text) {
  size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

bool take_exponent(std::string_view text, int& exponent) {
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  return error == std::errc{} && end == text.data() + text.size() && exponent >= -kMaxExponent &&
         exponent <= kMaxExponent;
}

bool parse(std::string_view text, Decimal& decimal) {
  decimal.is_negative = text.starts_with('-');
  if (decimal.is_negative) text.remove_prefix(1);
  decimal.whole = take_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    decimal.fraction = take_digits(text);
  }
  return decimal.whole.size() + decimal.fraction.size() > 0 && take_exponent(text, decimal.exponent);
}

// Takes whole and fraction as one sequence of digits; those from `kept` on are only used to round.
std::optional<int64_t> shift(const Decimal& decimal, int scale) {
  const int64_t digits = static_cast<int64_t>(decimal.whole.size() + decimal.fraction.size());
  const int64_t kept = static_cast<int64_t>(decimal.whole.size()) + decimal.exponent + scale;
  const auto digit_at = [&](int64_t i) {
    const int64_t whole = static_cast<int64_t>(decimal.whole.size());
    if (i < 0 || i >= digits) return 0;
    return (i < whole ? decimal.whole[i] : decimal.fraction[i - whole]) - '0';
  };
  int64_t value = 0;
  for (int64_t i = 0; i < kept; ++i) {
    if (i >= digits && value == 0) return 0;
    if (!push_digit(value, digit_at(i))) return std::nullopt;
  }
  if (digit_at(kept) >= 5 && __builtin_add_overflow(value, int64_t{1}, &value)) return std::nullopt;
  return decimal.is_negative ? -value : value;
}

// Reads eight digits at once. False: some of them are no digits.
bool take_eight(const char* text, int64_t& value) {
  uint64_t word;
  memcpy(&word, text, 8);
  const uint64_t digits = word - 0x3030303030303030;
  if (((digits | (digits + 0x7676767676767676)) & 0x8080808080808080) != 0) return false;
  const uint64_t pairs = digits * 10 + (digits >> 8);  // in every second byte
  constexpr uint64_t kPair = 0x000000FF000000FF;
  const uint64_t sum =
      (pairs & kPair) * (100 + (uint64_t{1000000} << 32)) + (pairs >> 16 & kPair) * (1 + (uint64_t{10000} << 32));
  value = value * 100000000 + static_cast<int64_t>(sum >> 32);
  return true;
}

constexpr int64_t power_of_ten(int exponent) { return exponent == 0 ? 1 : 10 * power_of_ten(exponent - 1); }

// The form of nearly all numbers: up to 18 digits, perhaps a point and up to kScale digits. Microseconds since 1970
// have 16 digits.
template <int kScale>
bool plain(std::string_view text, int64_t& value) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / power_of_ten(kScale);  // scaled, others do not fit
  value = 0;
  size_t i = text.size() >= 8 && take_eight(text.data(), value) ? 8 : 0;
  for (; i < text.size() && i < 19 && is_digit(text[i]); ++i) value = value * 10 + (text[i] - '0');
  if (i == 0 || i == 19 || value >= kMost) return false;
  int places = 0;
  if (i < text.size() && text[i] == '.')
    for (++i; i < text.size() && places < kScale && is_digit(text[i]); ++i, ++places)
      value = value * 10 + (text[i] - '0');
  for (; places < kScale; ++places) value *= 10;
  return i == text.size();
}

// The number times 10^kScale, rounded to the nearest integer.
template <int kScale>
std::optional<int64_t> scaled_decimal(std::string_view text) {
  int64_t value;
  if (plain<kScale>(text, value)) return value;
  Decimal decimal;
  if (!parse(without_quotes(text), decimal)) return std::nullopt;
  return shift(decimal, kScale);
}

}  // namespace

std::optional<int64_t> microseconds_to_ns(std::string_view text) { return scaled_decimal<3>(text); }

std::optional<int64_t> nearest_integer(std::string_view text) { return scaled_decimal<0>(text); }

std::optional<int64_t> integer(std::string_view text) {
  text = without_quotes(text);
  int64_t value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || text.empty() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace tauprof::kineto
