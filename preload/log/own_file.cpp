#include "log/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "log/file_calls.h"
#include "log/file_facts.h"

namespace tauprof::log {
namespace {

// Where our descriptors start: near the end of a table of the usual 1,024, where no program's lowest free number is. A
// higher number would make the kernel allocate a still larger table. Where threads share one, allocating can take 10 ms.
constexpr rlim_t kUsualTable = 1024;
constexpr rlim_t kRoom = 64;

// Moves a descriptor out of the way of a program. Returns the new one, or -1.
int move_up(int descriptor) {
  if (is_process_ours && descriptor > STDERR_FILENO) return descriptor;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > kUsualTable) limit.rlim_cur = kUsualTable;
  rlim_t least = limit.rlim_cur > 2 * kRoom ? limit.rlim_cur - kRoom : limit.rlim_cur / 2;
  if (least < 3) least = 3;
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, static_cast<int>(least));
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return moved;
}

const char* text(const ByteArray& path) { return reinterpret_cast<const char*>(path.data()); }

}  // namespace

int OwnFile::create(const char* path) {
  path_.set_size(0);
  if (!path_.append(reinterpret_cast<const uint8_t*>(path), strlen(path) + 1)) return ENOMEM;
  return file_calls([=, this] { return create_here(path); });
}

int OwnFile::create_here(const char* path) {
  const int created = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (created < 0) return errno;
  struct stat facts;
  if (read_facts(created, facts)) {
    device_ = facts.st_dev;
    inode_ = facts.st_ino;
    descriptor_ = move_up(created);
  } else {
    ::close(created);
  }
  if (descriptor_ >= 0) return 0;
  const int error = errno;
  unlink(path);
  return error;
}

bool OwnFile::is_ours(int descriptor) const {
  struct stat facts;
  return descriptor >= 0 && read_facts(descriptor, facts) && facts.st_dev == device_ && facts.st_ino == inode_;
}

// The descriptor knows whether the file still has a name, whichever root or user the program has by now. Without it,
// the name itself is all there is to ask.
int OwnFile::look() const {
  return file_calls([this] {
    struct stat facts;
    if (is_ours(descriptor_) && read_facts(descriptor_, facts) && facts.st_nlink > 0) return 0;
    const int error = look_at_name();
    return error == EACCES ? 0 : error;
  });
}

int OwnFile::look_at_name() const {
  struct stat facts;
  if (!read_facts_of_name(text(path_), facts)) return errno;
  return facts.st_dev == device_ && facts.st_ino == inode_ ? 0 : ESTALE;
}

int OwnFile::make_usable() { return is_ours(descriptor_) ? 0 : open_again(); }

int OwnFile::open_again() {
  descriptor_ = -1;  // it is the program's now: not ours to close
  if (path_.size() == 0) return EBADF;
  const int opened = open(text(path_), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0) return errno;
  if (!is_ours(opened)) {
    ::close(opened);
    return ESTALE;
  }
  descriptor_ = move_up(opened);
  return descriptor_ >= 0 ? 0 : errno;
}

int OwnFile::write_at(uint64_t offset, const uint8_t* bytes, size_t size) {
  return file_calls([=, this] { return write_here(offset, bytes, size); });
}

int OwnFile::write_here(uint64_t offset, const uint8_t* bytes, size_t size) {
  constexpr int kMostInterruptions = 100;
  int interruptions = 0;
  for (size_t done = 0; done < size;) {
    if (const int error = make_usable()) return error;
    const ssize_t written = pwrite(descriptor_, bytes + done, size - done, static_cast<off_t>(offset + done));
    if (written > 0)
      done += static_cast<size_t>(written);
    else if (written == 0 || errno != EINTR || ++interruptions > kMostInterruptions)
      return written == 0 ? EIO : errno;
  }
  return 0;
}

int OwnFile::cut_after(uint64_t size) {
  return file_calls([=, this] {
    if (const int error = make_usable()) return error;
    return ftruncate(descriptor_, static_cast<off_t>(size)) == 0 ? 0 : errno;
  });
}

int OwnFile::read_at(uint64_t offset, uint8_t* bytes, size_t size) {
  return file_calls([=, this] {
    if (const int error = make_usable()) return error;
    return pread(descriptor_, bytes, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size) ? 0 : EIO;
  });
}

int OwnFile::replace(OwnFile& other) {
  if (const int error = other.look_at_name()) return error;
  if (rename(text(path_), text(other.path_)) != 0) return errno;
  path_.swap(other.path_);
  return 0;
}

int OwnFile::close() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (descriptor < 0) return 0;
  return file_calls([=, this] {
    if (!is_ours(descriptor)) return 0;
    return ::close(descriptor) == 0 || errno == EINTR ? 0 : errno;
  });
}

int OwnFile::remove() {
  if (path_.size() == 0) return 0;
  close();
  if (const int error = look_at_name()) return error;
  return unlink(text(path_)) == 0 ? 0 : errno;
}

void OwnFile::swap(OwnFile& other) {
  path_.swap(other.path_);
  const int descriptor = descriptor_;
  const uint64_t device = device_, inode = inode_;
  descriptor_ = other.descriptor_, device_ = other.device_, inode_ = other.inode_;
  other.descriptor_ = descriptor, other.device_ = device, other.inode_ = inode;
}

}  // namespace tauprof::log
