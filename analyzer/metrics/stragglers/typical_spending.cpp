#include "metrics/stragglers/typical_spending.h"

#include <algorithm>
#include <functional>

namespace tauprof {
namespace {

// Of what `value_of` returns for each.
template <class Spent, class ValueOf>
auto median_of(const std::vector<Spent>& spent, ValueOf value_of) {
  std::vector<decltype(value_of(spent.front()))> values;
  values.reserve(spent.size());
  for (const Spent& one : spent) values.push_back(value_of(one));
  // Many rows are 0 on all ranks.
  if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to()) == values.end()) return values.front();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Of what `device_of` returns for each.
template <class Spent, class DeviceOf>
SpentTime median_of_devices(const std::vector<Spent>& spent, DeviceOf device_of) {
  SpentTime typical;
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    typical.rows[row] = median_of(spent, [&](const Spent& one) { return device_of(one).rows[row]; });
  for (const auto measure : kWorkMeasures)
    typical.work.*measure = median_of(spent, [&](const Spent& one) { return device_of(one).work.*measure; });
  typical.copied_bytes = median_of(spent, [&](const Spent& one) { return device_of(one).copied_bytes; });
  return typical;
}

}  // namespace

bool is_own(size_t row) {
  switch (static_cast<LedgerRow>(row)) {
    case LedgerRow::kFusedCommCompute:  // which waits for peers, too
    case LedgerRow::kExposedCommTransfer:
    case LedgerRow::kExposedCommUnsplit:
    case LedgerRow::kExposedCommWait:
      return false;
    default:
      return true;
  }
}

SpentTime load_of(const RankStep& step) {
  SpentTime load;
  for (const LedgerCell& cell : step.cells)
    if (is_own(static_cast<size_t>(cell.row))) load.rows[static_cast<size_t>(cell.row)] += cell.length;
  load.work = step.work;
  load.copied_bytes = step.copied_bytes;
  return load;
}

SpentTime lower_median(const std::vector<SpentTime>& spent) {
  return median_of_devices(spent, [](const SpentTime& one) -> const SpentTime& { return one; });
}

Spending lower_median(const std::vector<Spending>& spent) {
  Spending typical;
  typical.device = median_of_devices(spent, [](const Spending& one) -> const SpentTime& { return one.device; });
  typical.has_host = std::all_of(spent.begin(), spent.end(), [](const Spending& one) { return one.has_host; });
  typical.exchanged = median_of(spent, [](const Spending& one) { return one.exchanged; });
  for (size_t row = 0; row < kHostRowCount; ++row)
    typical.host.rows[row] = median_of(spent, [row](const Spending& one) { return one.host.rows[row]; });
  return typical;
}

}  // namespace tauprof
