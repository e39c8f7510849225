#include "metrics/stragglers/typical_spending.h"

#include <algorithm>

namespace tauprof {
namespace {

// Of what `value_of` returns for each.
template <class Spent, class ValueOf>
auto median_of(const std::vector<Spent>& spent, ValueOf value_of) {
  std::vector<decltype(value_of(spent.front()))> values;
  for (const Spent& one : spent) values.push_back(value_of(one));
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

SpentTime lower_median(const std::vector<SpentTime>& spent) {
  SpentTime typical;
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    typical.rows[row] = median_of(spent, [row](const SpentTime& one) { return one.rows[row]; });
  std::vector<ComputeWork> works;
  for (const SpentTime& one : spent) works.push_back(one.work);
  typical.work = lower_median(works);
  typical.copied_bytes = median_of(spent, [](const SpentTime& one) { return one.copied_bytes; });
  return typical;
}

Spending lower_median(const std::vector<Spending>& spent) {
  Spending typical;
  std::vector<SpentTime> devices;
  for (const Spending& one : spent) devices.push_back(one.device);
  typical.device = lower_median(devices);
  typical.has_host = std::all_of(spent.begin(), spent.end(), [](const Spending& one) { return one.has_host; });
  typical.exchanged = median_of(spent, [](const Spending& one) { return one.exchanged; });
  for (size_t row = 0; row < kHostRowCount; ++row)
    typical.host.rows[row] = median_of(spent, [row](const Spending& one) { return one.host.rows[row]; });
  return typical;
}

}  // namespace tauprof
