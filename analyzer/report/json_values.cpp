#include "report/json_values.h"

#include "model/terminal_text.h"

namespace tauprof {

std::string document_text(const Json& document) {
  return terminal_json(document.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace tauprof
