// Text as a page can carry it: compressed by gzip, then in base64, which needs no escaping.
#pragma once

#include <string>
#include <string_view>

namespace tauprof {

std::string packed_text(std::string_view text);

}  // namespace tauprof
