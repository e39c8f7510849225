#include "cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tauprof {
namespace {

Status failed(const std::string& path) { return Status::error(path + ": cannot be written: " + std::strerror(errno)); }

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// False with errno, which closing and removing do not change.
bool give_up(int descriptor, const char* partial) {
  const int reason = errno;
  close(descriptor);
  if (partial) unlink(partial);
  errno = reason;
  return false;
}

bool write_directly(const std::string& path, std::string_view text) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  if (!write_all(descriptor, text)) return give_up(descriptor, nullptr);
  return close(descriptor) == 0;
}

mode_t usual_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

bool write_and_rename(const std::string& path, std::string_view text, mode_t mode) {
  std::string partial = path + ".XXXXXX";
  const int descriptor = mkostemp(partial.data(), O_CLOEXEC);
  if (descriptor < 0) return false;
  if (!write_all(descriptor, text) || fchmod(descriptor, mode) != 0) return give_up(descriptor, partial.c_str());
  if (close(descriptor) == 0 && rename(partial.c_str(), path.c_str()) == 0) return true;
  const int reason = errno;
  unlink(partial.c_str());
  errno = reason;
  return false;
}

// The file that a link leads to, so that the link stays.
std::string without_links(const std::string& path) {
  char* const real = realpath(path.c_str(), nullptr);
  if (!real) return path;
  std::string result = real;
  free(real);
  return result;
}

Status is_a_directory(const std::string& path) {
  errno = EISDIR;
  return failed(path);
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

Status can_be_written(const std::string& path) {
  struct stat known {};
  const bool is_there = stat(path.c_str(), &known) == 0;
  if (is_there && S_ISDIR(known.st_mode)) return is_a_directory(path);
  if (is_there && !S_ISREG(known.st_mode)) return access(path.c_str(), W_OK) == 0 ? Status::ok() : failed(path);
  // It will be renamed into place.
  const std::string folder = folder_of(without_links(path));
  if (stat(folder.c_str(), &known) != 0 || access(folder.c_str(), W_OK | X_OK) != 0) return failed(path);
  if (S_ISDIR(known.st_mode)) return Status::ok();
  errno = ENOTDIR;
  return failed(path);
}

Status write_whole_file(const std::string& path, std::string_view text) {
  struct stat known {};
  const bool is_there = stat(path.c_str(), &known) == 0;
  if (is_there && S_ISDIR(known.st_mode)) return is_a_directory(path);
  if (is_there && !S_ISREG(known.st_mode)) return write_directly(path, text) ? Status::ok() : failed(path);
  const mode_t mode = is_there ? known.st_mode & 0777 : usual_mode();
  return write_and_rename(without_links(path), text, mode) ? Status::ok() : failed(path);
}

}  // namespace tauprof
