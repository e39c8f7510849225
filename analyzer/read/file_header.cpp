#include "read/file_header.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tauprof {
namespace {

constexpr uint32_t kLongestHeader = 1u << 20;

Status refuse(const std::string& path, const std::string& why) { return Status::error(path + ": " + why); }

}  // namespace

Status read_file_header(const std::string& path, Bytes bytes, log::FileHeader& header) {
  if (bytes.size == 0) return refuse(path, "empty; nothing was recorded, the file can be deleted");
  const size_t magic_bytes = std::min(bytes.size, sizeof log::kFileMagic);
  if (memcmp(bytes.data, log::kFileMagic, magic_bytes) != 0) return refuse(path, "not a tauprof log");
  if (bytes.size < sizeof header)
    return refuse(path, "too short for a log header (" + std::to_string(bytes.size) + " of " +
                            std::to_string(sizeof header) + " bytes); copy it again, or delete it");
  memcpy(&header, bytes.data, sizeof header);
  if (header.byte_order == __builtin_bswap32(log::kByteOrderMark))
    return refuse(path, "written on a machine with the other byte order; read it on such a machine");
  if (header.checksum != XXH3_64bits(&header, offsetof(log::FileHeader, checksum)))
    return refuse(path, "the log header is damaged; copy the file again from where it was recorded");
  if (header.minimum_reader > log::kVersion)
    return refuse(path, "log version " + std::to_string(header.version) +
                            " needs a newer tauprof (this one reads up to " + std::to_string(log::kVersion) +
                            "); upgrade tauprof");
  if ((header.required_features & ~log::kKnownFeatures) != 0)
    return refuse(path, "uses features of the log format that this tauprof does not know; upgrade tauprof");
  if (header.byte_order != log::kByteOrderMark || header.header_size < sizeof header ||
      header.header_size > kLongestHeader)
    return refuse(path, "the log header makes no sense; it was written by a broken program");
  return Status::ok();
}

}  // namespace tauprof
