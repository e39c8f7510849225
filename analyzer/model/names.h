// The texts of one process, by small number. 0 is the empty text.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace tauprof {

using NameId = uint32_t;
inline constexpr NameId kNoName = 0;

class Names {
 public:
  Names() : texts_(1) {}

  NameId add(std::string_view text) {
    texts_.emplace_back(text);
    return static_cast<NameId>(texts_.size() - 1);
  }
  void set(NameId id, std::string_view text) { texts_[id] = text; }
  std::string_view operator[](NameId id) const { return texts_[id]; }
  size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // keeps its elements in place, so that views stay valid
};

}  // namespace tauprof
