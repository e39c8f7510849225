#include "model/regular_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace tauprof {
namespace {

std::string amount(size_t bytes) {
  const bool is_in_mebibytes = bytes >= 1u << 20;
  return std::to_string(is_in_mebibytes ? bytes >> 20 : bytes >> 10) + (is_in_mebibytes ? " MiB" : " KiB");
}

// Fewer bytes than `text` has room for if the file has become shorter.
Status read_to_end(int descriptor, std::string& text) {
  size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = read(descriptor, text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Status::error(std::string("reading failed: ") + strerror(errno));
    if (got == 0) break;
    size += static_cast<size_t>(got);
  }
  text.resize(size);
  return Status::ok();
}

}  // namespace

Status open_regular_file(const std::string& path, int& descriptor, uint64_t& bytes) {
  // Without O_NONBLOCK, opening a named pipe would block until somebody writes to it.
  const int opened = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (opened < 0) return Status::error(std::string("cannot be opened: ") + strerror(errno));
  struct stat facts;
  if (fstat(opened, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    close(opened);
    return Status::error("not a regular file");
  }
  descriptor = opened;
  bytes = static_cast<uint64_t>(facts.st_size);
  return Status::ok();
}

Status read_regular_file(const std::string& path, size_t most_bytes, std::string& text) {
  int descriptor = -1;
  uint64_t bytes = 0;
  if (Status status = open_regular_file(path, descriptor, bytes); !status.is_ok()) return status;
  Status status = Status::error("larger than " + amount(most_bytes));
  if (bytes <= most_bytes) {
    text.assign(bytes, '\0');
    status = read_to_end(descriptor, text);
  }
  close(descriptor);
  return status;
}

}  // namespace tauprof
