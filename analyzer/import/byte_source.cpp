#include "import/byte_source.h"

#include <fmt/format.h>
#include <libdeflate.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "model/regular_file.h"

namespace tauprof::kineto {
namespace {

constexpr size_t kInputBytes = 256u << 10;
// libdeflate inflates files up to here in one go, several times as fast as zlib.
constexpr size_t kMaxWholeCompressed = 16u << 20;
constexpr size_t kMaxWholeInflated = 64u << 20;
constexpr size_t kSmall = 4u << 20;  // bytes of text

class File {
 public:
  File(int descriptor, uint64_t size, std::atomic<uint64_t>* read_bytes)
      : descriptor_(descriptor), size_(size), read_bytes_(read_bytes) {}
  ~File() { close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  size_t read(void* buffer, size_t size, Status& status) {
    size = static_cast<size_t>(std::min<uint64_t>(size, size_ - position_));
    ssize_t got;
    do got = ::read(descriptor_, buffer, size);
    while (got < 0 && errno == EINTR);
    if (got >= 0) {
      position_ += static_cast<uint64_t>(got);
      return counted(got);
    }
    status = Status::error(fmt::format("reading failed: {}", strerror(errno)));
    return 0;
  }
  uint64_t size() const { return size_; }
  size_t read_at(void* buffer, size_t size, size_t offset) const {
    const ssize_t got = pread(descriptor_, buffer, size, static_cast<off_t>(offset));
    return got > 0 ? counted(got) : 0;
  }

 private:
  size_t counted(ssize_t got) const {
    if (read_bytes_) *read_bytes_ += static_cast<uint64_t>(got);
    return static_cast<size_t>(got);
  }

  const int descriptor_;
  const uint64_t size_;  // when it was opened
  uint64_t position_ = 0;
  std::atomic<uint64_t>* const read_bytes_;
};

class PlainSource : public ByteSource {
 public:
  explicit PlainSource(std::unique_ptr<File> file) : file_(std::move(file)) {}
  size_t read(char* buffer, size_t size) override { return file_->read(buffer, size, status_); }
  bool is_small() const override { return file_->size() <= kSmall; }

 private:
  std::unique_ptr<File> file_;
};

// A gzip file that was inflated as a whole when it was opened.
class InflatedSource : public ByteSource {
 public:
  InflatedSource(std::unique_ptr<char[]> text, size_t size) : text_(std::move(text)), size_(size) {}
  size_t read(char* buffer, size_t size) override {
    size = std::min(size, size_ - position_);
    memcpy(buffer, text_.get() + position_, size);
    position_ += size;
    return size;
  }
  bool is_small() const override { return size_ <= kSmall; }

 private:
  std::unique_ptr<char[]> text_;
  size_t size_;
  size_t position_ = 0;
};

// Null if the file is too large, damaged, or has several members. GzipSource then reads it member by member.
std::unique_ptr<ByteSource> inflate_whole(const File& file) {
  if (file.size() < 18 || file.size() > kMaxWholeCompressed) return nullptr;
  const auto size = static_cast<size_t>(file.size());
  const auto input = std::make_unique_for_overwrite<unsigned char[]>(size);
  if (file.read_at(input.get(), size, 0) != size) return nullptr;
  const unsigned char* trailer = input.get() + size - 4;
  const size_t inflated = trailer[0] | trailer[1] << 8 | trailer[2] << 16 | static_cast<size_t>(trailer[3]) << 24;
  if (inflated > kMaxWholeInflated) return nullptr;
  auto output = std::make_unique_for_overwrite<char[]>(inflated + 1);
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> inflater(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  size_t used = 0, written = 0;
  if (inflater == nullptr || libdeflate_gzip_decompress_ex(inflater.get(), input.get(), size, output.get(), inflated,
                                                           &used, &written) != LIBDEFLATE_SUCCESS)
    return nullptr;
  if (used != size) return nullptr;
  return std::make_unique<InflatedSource>(std::move(output), written);
}

class GzipSource : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<File> file)
      : file_(std::move(file)), input_(std::make_unique_for_overwrite<Bytef[]>(kInputBytes)) {
    is_open_ = inflateInit2(&stream_, MAX_WBITS + 16) == Z_OK;
    if (!is_open_) status_ = Status::error("out of memory for inflating");
  }
  ~GzipSource() override {
    if (is_open_) inflateEnd(&stream_);
  }

  size_t read(char* buffer, size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(buffer);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size && !is_at_end_ && status_.is_ok()) step();
    return size - stream_.avail_out;
  }
  bool is_small() const override { return false; }

 private:
  void step() {
    if (stream_.avail_in == 0 && !refill()) {
      if (status_.is_ok() && is_in_member_) fail("ends in the middle of the gzip data");
      is_at_end_ = true;
      return;
    }
    if (!is_in_member_ && is_trailing_garbage()) return;
    is_in_member_ = true;
    const int outcome = inflate(&stream_, Z_NO_FLUSH);
    if (outcome == Z_STREAM_END) {
      is_in_member_ = false;
      ++members_;
      inflateReset(&stream_);
    } else if (outcome != Z_OK && outcome != Z_BUF_ERROR) {
      fail(stream_.msg != nullptr ? stream_.msg : "damaged gzip data");
    }
  }

  bool refill() {
    stream_.next_in = input_.get();
    stream_.avail_in = static_cast<uInt>(file_->read(input_.get(), kInputBytes, status_));
    bytes_read_ += stream_.avail_in;
    return stream_.avail_in > 0;
  }

  // Bytes after a member that do not start another one are ignored, as gzip itself does.
  bool is_trailing_garbage() {
    if (members_ > 0 && *stream_.next_in != 0x1f) is_at_end_ = true;
    return is_at_end_;
  }

  void fail(std::string_view what) {
    status_ = Status::error(fmt::format("gzip: {} at compressed byte {}", what, bytes_read_ - stream_.avail_in));
  }

  std::unique_ptr<File> file_;
  std::unique_ptr<Bytef[]> input_;
  z_stream stream_{};
  uint64_t bytes_read_ = 0;
  uint64_t members_ = 0;
  bool is_open_ = false;
  bool is_in_member_ = false;
  bool is_at_end_ = false;
};

Status open_source(const std::string& path, bool is_for_all, std::unique_ptr<ByteSource>& source,
                   std::atomic<uint64_t>* read_bytes) {
  int descriptor = -1;
  uint64_t size = 0;
  if (Status status = open_regular_file(path, descriptor, size); !status.is_ok()) return status;
  auto file = std::make_unique<File>(descriptor, size, read_bytes);
  unsigned char magic[2];
  const bool is_gzip = file->read_at(magic, 2, 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
  if (is_gzip && is_for_all) source = inflate_whole(*file);
  if (source == nullptr) {
    if (is_gzip)
      source = std::make_unique<GzipSource>(std::move(file));
    else
      source = std::make_unique<PlainSource>(std::move(file));
  }
  return Status::ok();
}

}  // namespace

Status ByteSource::open(const std::string& path, std::unique_ptr<ByteSource>& source,
                        std::atomic<uint64_t>* read_bytes) {
  return open_source(path, true, source, read_bytes);
}

Status ByteSource::open_start(const std::string& path, std::unique_ptr<ByteSource>& source) {
  return open_source(path, false, source, nullptr);
}

}  // namespace tauprof::kineto
