// Choices of a mutation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>

namespace tauprof {

using Random = std::mt19937_64;

class RandomChoice {
 public:
  explicit RandomChoice(Random& random) : random_(random) {}

  // 0 if there is nothing below the limit.
  size_t below(size_t limit) { return limit == 0 ? 0 : static_cast<size_t>(random_() % limit); }
  template <class Items>
  auto& pick(Items& items) {
    return items[below(std::size(items))];
  }

 protected:
  Random& random_;
};

}  // namespace tauprof
