#include "import/header_patch.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>

#include "log/format.h"

namespace tauprof::kineto {

Status patch_header(const std::string& path, const HeaderFacts& facts) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  log::FileHeader header;
  file.read(reinterpret_cast<char*>(&header), sizeof(header));
  header.start_time_ns = facts.start_time_ns;
  header.start_realtime_ns = facts.start_realtime_ns;
  header.pid = facts.pid;
  memset(header.run_id, 0, sizeof(header.run_id));
  memcpy(header.run_id, facts.run_id.data(), std::min(facts.run_id.size(), sizeof(header.run_id) - 1));
  header.checksum = XXH3_64bits(&header, offsetof(log::FileHeader, checksum));
  file.seekp(0);
  file.write(reinterpret_cast<const char*>(&header), sizeof(header));
  file.close();
  if (file) return Status::ok();
  return Status::error(fmt::format("{}: the header could not be written: {}", path, strerror(errno)));
}

}  // namespace tauprof::kineto
