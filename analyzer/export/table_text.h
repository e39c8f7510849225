// Texts in tables: UTF-8 without the character 0, at which many readers end a text.
#pragma once

#include <string>
#include <string_view>

#include "model/terminal_text.h"

namespace tauprof {

inline std::string table_text(std::string_view text) {
  std::string clean = valid_utf8(text);
  for (size_t at = 0; (at = clean.find('\0', at)) != std::string::npos;) clean.replace(at, 1, "\ufffd");
  return clean;
}

}  // namespace tauprof
