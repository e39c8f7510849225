#include "import/file_start.h"

#include <algorithm>

namespace tauprof {
namespace {

constexpr size_t kFirstLook = size_t{64} << 10;
// Before its events, a trace has the ranks of all process groups: megabytes, of a large job.
constexpr size_t kLongestLook = size_t{8} << 20;

}  // namespace

Status FileStart::open(const std::string& path) {
  path_ = path;
  if (Status status = kineto::ByteSource::open_start(path, source_); !status.is_ok()) return status;
  read_more();
  return Status::ok();
}

std::string_view FileStart::text_without_space() const {
  std::string_view text = text_;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first == text.npos ? std::string_view() : text.substr(first);
}

bool FileStart::has(std::string_view quoted) const {
  for (size_t found = text_.find(quoted); found != text_.npos; found = text_.find(quoted, found + 1))
    if (found == 0 || text_[found - 1] != '\\') return true;
  return false;
}

bool FileStart::read_more() {
  const size_t known = text_.size(), wanted = std::min(kLongestLook, std::max(kFirstLook, 4 * known));
  text_.resize(wanted);
  size_t size = known;
  while (size < wanted) {
    const size_t got = source_->read(text_.data() + size, wanted - size);
    if (got == 0) break;
    size += got;
  }
  text_.resize(size);
  return size > known;
}

}  // namespace tauprof
