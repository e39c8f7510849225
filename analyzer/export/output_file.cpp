#include "export/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tauprof {

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
}

Status OutputFile::open(const std::string& path) {
  path_ = path;
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  error_ = file_ < 0 ? errno : 0;
  return status();
}

Status OutputFile::status() const {
  return error_ == 0 ? Status::ok() : Status::error(path_ + ": cannot be written: " + strerror(error_));
}

void OutputFile::flush() {
  size_t done = 0;
  while (done < buffer_.size() && error_ == 0) {
    const ssize_t written = ::write(file_, buffer_.data() + done, buffer_.size() - done);
    if (written > 0)
      done += static_cast<size_t>(written);
    else if (errno != EINTR)
      error_ = written == 0 ? ENOSPC : errno;
  }
  buffer_.clear();
}

Status OutputFile::close() {
  if (file_ < 0) return status();
  flush();
  if (::close(file_) != 0 && error_ == 0) error_ = errno;
  file_ = -1;
  return status();
}

}  // namespace tauprof
