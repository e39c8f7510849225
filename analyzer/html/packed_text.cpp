#include <zlib.h>

#include <cstdint>
#include <stdexcept>

#include "html/page_parts.h"

namespace tauprof {
namespace {

constexpr int kGzip = 16 + MAX_WBITS;  // zlib's way to ask for gzip's header

std::string gzipped(std::string_view text, int level) {
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzip, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("no memory to compress the timeline");
  std::string result;
  std::string piece(256u << 10, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  int status = Z_OK;
  // zlib counts what it is given in 32 bits.
  for (size_t left = text.size(); status != Z_STREAM_END;) {
    if (stream.avail_in == 0 && left > 0) {
      stream.avail_in = static_cast<uInt>(left < (1u << 30) ? left : 1u << 30);
      left -= stream.avail_in;
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    status = deflate(&stream, left == 0 ? Z_FINISH : Z_NO_FLUSH);
    result.append(piece, 0, piece.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return result;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  result.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) group = group << 8 | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k) result += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return result;
}

}  // namespace

std::string packed_text(std::string_view text, Packing packing) {
  return base64(gzipped(text, packing == Packing::kSmall ? Z_BEST_SPEED + 5 : Z_BEST_SPEED));
}

}  // namespace tauprof
