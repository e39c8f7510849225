#include "import/batch.h"

namespace tauprof::kineto {

void EventArray::index(TextBuffer& buffer, const SplitResult& split) {
  is_indexed_ = false;
  if (!split.is_contiguous || split.events.empty()) return;
  char* const start = buffer.data() + split.events.front().offset - 1;
  char* const end = buffer.data() + split.events.back().offset + split.events.back().size;
  *start = '[';
  *end = ']';
  const size_t size = static_cast<size_t>(end + 1 - start);
  is_indexed_ = parser_.iterate(start, size, size + simdjson::SIMDJSON_PADDING).get(document_) == simdjson::SUCCESS;
}

}  // namespace tauprof::kineto
