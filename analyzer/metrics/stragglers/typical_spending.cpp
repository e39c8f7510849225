#include "metrics/stragglers/typical_spending.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace tauprof {
namespace {

// The lower median of a value that several have. Each counts as much as its weight; none: all count the same.
class Middle {
 public:
  explicit Middle(std::vector<double> weights)
      : weights_(std::move(weights)), half_(std::accumulate(weights_.begin(), weights_.end(), 0.0) / 2) {}

  template <class Value>
  Value of(std::vector<Value> values) const {
    // Many rows are 0 on all ranks.
    if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to()) == values.end()) return values.front();
    if (half_ <= 0) {
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
      std::nth_element(values.begin(), middle, values.end());
      return *middle;
    }
    std::vector<std::pair<Value, double>> weighted;
    for (size_t i = 0; i < values.size(); ++i)
      if (weights_[i] > 0) weighted.emplace_back(values[i], weights_[i]);
    std::sort(weighted.begin(), weighted.end());
    double lower = 0;
    for (const auto& [value, weight] : weighted)
      if ((lower += weight) >= half_) return value;
    return weighted.back().first;
  }

  // Of what `value_of` returns for each.
  template <class Spent, class ValueOf>
  auto of(const std::vector<Spent>& spent, ValueOf value_of) const {
    std::vector<decltype(value_of(spent.front()))> values;
    values.reserve(spent.size());
    for (const Spent& one : spent) values.push_back(value_of(one));
    return of(std::move(values));
  }

 private:
  const std::vector<double> weights_;
  double half_;
};

// Of what `device_of` returns for each.
template <class Spent, class DeviceOf>
SpentTime middle_of_devices(const Middle& middle, const std::vector<Spent>& spent, DeviceOf device_of) {
  SpentTime typical;
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    typical.rows[row] = middle.of(spent, [&](const Spent& one) { return device_of(one).rows[row]; });
  for (const auto measure : kWorkMeasures)
    typical.work.*measure = middle.of(spent, [&](const Spent& one) { return device_of(one).work.*measure; });
  typical.copied_bytes = middle.of(spent, [&](const Spent& one) { return device_of(one).copied_bytes; });
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
  return middle_of_devices(Middle({}), spent, [](const SpentTime& one) -> const SpentTime& { return one; });
}

Spending lower_median(const std::vector<Spending>& spent, const std::vector<double>& weights) {
  const Middle middle(weights);
  Spending typical;
  typical.device = middle_of_devices(middle, spent, [](const Spending& one) -> const SpentTime& { return one.device; });
  typical.has_host = std::all_of(spent.begin(), spent.end(), [](const Spending& one) { return one.has_host; });
  typical.exchanged = middle.of(spent, [](const Spending& one) { return one.exchanged; });
  for (size_t row = 0; row < kHostRowCount; ++row)
    typical.host.rows[row] = middle.of(spent, [row](const Spending& one) { return one.host.rows[row]; });
  return typical;
}

}  // namespace tauprof
