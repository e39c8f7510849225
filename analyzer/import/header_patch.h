// Fills in the fields of an imported log's header that are known only at the end.
#pragma once

#include <cstdint>
#include <string>

#include "model/status.h"

namespace tauprof::kineto {

struct HeaderFacts {
  int64_t start_time_ns = 0;
  int64_t start_realtime_ns = 0;
  uint32_t pid = 0;
  std::string run_id;
};

Status patch_header(const std::string& path, const HeaderFacts& facts);

}  // namespace tauprof::kineto
