// The order in which a log holds its rows, kept while they are sorted: an export of an imported trace repeats it,
// because some readers take what comes first in the file for what came first.
//
// Example: rows that start at 30, 10, 20 are sorted to 10, 20, 30. Their positions become 1, 2, 0; read in the order 2,
// 0, 1 they are as recorded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tauprof {

class RecordedOrder {
 public:
  // 0 rows: the order is not kept.
  explicit RecordedOrder(size_t rows) : positions_(rows) { std::iota(positions_.begin(), positions_.end(), 0); }

  // Where each row was, to be moved with it.
  uint32_t* positions() { return positions_.data(); }

  // Where the rows are now, in the order in which they were.
  std::vector<uint32_t> take() const {
    std::vector<uint32_t> order(positions_.size());
    for (size_t i = 0; i < order.size(); ++i) order[positions_[i]] = static_cast<uint32_t>(i);
    return order;
  }

 private:
  std::vector<uint32_t> positions_;
};

}  // namespace tauprof
