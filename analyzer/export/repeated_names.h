// Names for a format that repeats them in each event. One long name must not make a file of gigabytes of a log of one:
// once names take more than what real traces need, long ones are cut, and end in a number that tells them apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/names.h"

namespace tauprof::kineto_export {

class RepeatedNames {
 public:
  explicit RepeatedNames(const Names& names) : names_(names), texts_(names.size()), cut_texts_(names.size()) {}

  // As a JSON text with its quotes; valid until the next call.
  const std::string& text(NameId name);

 private:
  const Names& names_;
  std::vector<std::string> texts_;      // by id; empty: not asked for yet
  std::vector<std::string> cut_texts_;  // likewise
  uint64_t asked_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace tauprof::kineto_export
