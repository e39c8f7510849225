// The text that a JSON string stands for.
#pragma once

#include <string>
#include <string_view>

namespace tauprof::kineto {

// `raw`: the bytes between the quotes. Escapes that JSON does not know stay as they are; half a surrogate pair becomes
// U+FFFD.
std::string unescape(std::string_view raw);

}  // namespace tauprof::kineto
