#include "export/gzip_file.h"

#include <zlib.h>

#include <new>

namespace tauprof {
namespace {

constexpr int kFastLevel = 1;  // traces shrink to a tenth even so
constexpr int kGzipFormat = 16 + MAX_WBITS;
constexpr int kMemoryLevel = 8;

}  // namespace

GzipFile::~GzipFile() { free_stream(); }

void GzipFile::free_stream() {
  if (stream_) deflateEnd(stream_);
  delete stream_;
  stream_ = nullptr;
}

Status GzipFile::open(const std::string& path) {
  stream_ = new z_stream();
  if (deflateInit2(stream_, kFastLevel, Z_DEFLATED, kGzipFormat, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  return file_.open(path);
}

void GzipFile::compress(bool is_last) {
  char compressed[1 << 16];
  stream_->next_in = reinterpret_cast<Bytef*>(buffer_.data());
  stream_->avail_in = static_cast<uInt>(buffer_.size());
  do {
    stream_->next_out = reinterpret_cast<Bytef*>(compressed);
    stream_->avail_out = sizeof compressed;
    deflate(stream_, is_last ? Z_FINISH : Z_NO_FLUSH);
    file_.write({compressed, sizeof compressed - stream_->avail_out});
  } while (stream_->avail_out == 0);
  buffer_.clear();
}

Status GzipFile::close() {
  compress(true);
  free_stream();
  return file_.close();
}

}  // namespace tauprof
