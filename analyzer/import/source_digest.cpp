#include "import/source_digest.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <vector>

#include "model/regular_file.h"

namespace tauprof {
namespace {

constexpr uint64_t kMostOfAnEnd = 1u << 20;

}  // namespace

std::string source_digest(const std::string& path) {
  int descriptor = -1;
  uint64_t size = 0;
  if (!open_regular_file(path, descriptor, size).is_ok()) return {};
  const uint64_t length = std::min(size, kMostOfAnEnd);
  std::vector<char> text(2 * length);
  const auto wanted = static_cast<ssize_t>(length);
  const bool is_read = pread(descriptor, text.data(), length, 0) == wanted &&
                       pread(descriptor, text.data() + length, length, static_cast<off_t>(size - length)) == wanted;
  close(descriptor);
  return is_read ? fmt::format("{:016x}", XXH3_64bits_withSeed(text.data(), text.size(), size)) : std::string();
}

}  // namespace tauprof
