// See disturbances.h.
#include "disturbances.h"

#include <algorithm>
#include <charconv>

namespace training {
namespace {

constexpr std::string_view take_until(char separator, std::string_view& rest) {
  const std::size_t at = rest.find(separator);
  const std::string_view field = rest.substr(0, at);
  rest = at == rest.npos ? std::string_view() : rest.substr(at + 1);
  return field;
}

template <typename Number>
bool read_from(std::string_view text, Number least, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out >= least;
}

bool read_one(std::string_view text, Disturbance& out) {
  if (std::ranges::count(text, ':') > 3 || text.ends_with(':')) return false;
  if (!read_from(take_until(':', text), 0, out.rank) || !read_from(take_until(':', text), 0.0, out.value)) return false;
  if (!text.empty() && !read_from(take_until(':', text), 1, out.every)) return false;
  return text.empty() || read_from(text, 0, out.first);
}

}  // namespace

bool read_disturbances(std::string_view text, Disturbances& out) {
  if (text.ends_with(',')) return false;
  out.clear();
  do {
    if (!read_one(take_until(',', text), out.emplace_back())) return false;
  } while (!text.empty());
  return true;
}

double value_for(const Disturbances& disturbances, int rank, int step) {
  double sum = 0;
  for (const Disturbance& one : disturbances)
    if (one.rank == rank && step >= one.first && (step - one.first) % one.every == 0) sum += one.value;
  return sum;
}

double largest_for(const Disturbances& disturbances, int rank) {
  double largest = 0;
  for (const Disturbance& one : disturbances)
    if (one.rank == rank) largest = std::max(largest, one.value);
  return largest;
}

}  // namespace training
