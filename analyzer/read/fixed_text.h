// The text in a field of fixed size, which NULs fill up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace tauprof {

template <size_t kSize>
std::string_view fixed_text(const char (&field)[kSize]) {
  return {field, static_cast<size_t>(std::find(field, field + kSize, '\0') - field)};
}

}  // namespace tauprof
