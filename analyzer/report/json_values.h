// JSON as documents are written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tauprof {

using Json = nlohmann::ordered_json;

// Indented, and safe to be shown by a terminal.
std::string document_text(const Json& document);

}  // namespace tauprof
