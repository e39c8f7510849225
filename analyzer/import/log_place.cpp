#include "import/log_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "log/format.h"
#include "model/regular_file.h"

#define XXH_INLINE_ALL

namespace tauprof {
namespace {

constexpr uint64_t kMostOfAnEnd = 1u << 20;

constexpr int kMaxNameTries = 100000;

// Renames a file unless there is one of that name; else errno says why not. Replacing an empty file that reserves the
// name would be waited for: ext4 writes to the disk what takes the place of another file.
bool rename_to_new(const std::string& from, const std::string& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  // Some file systems cannot do that in one step.
  const int reserved = open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (reserved < 0) return false;
  close(reserved);
  return rename(from.c_str(), to.c_str()) == 0;
}

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

Status make_log_directory(const std::string& directory) {
  for (size_t end = directory.find('/', 1);; end = directory.find('/', end + 1)) {
    const std::string part = directory.substr(0, end);
    if (mkdir(part.c_str(), 0700) != 0 && errno != EEXIST)
      return Status::error(
          fmt::format("{}: cannot be created: {}; choose another directory with -o", part, strerror(errno)));
    if (end == std::string::npos) break;
  }
  if (access(directory.c_str(), W_OK | X_OK) == 0) return Status::ok();
  return Status::error(
      fmt::format("{}: cannot be written to: {}; choose another directory with -o", directory, strerror(errno)));
}

Status refuse_known(const LogPlace& place, const std::vector<std::string>& sources) {
  std::string run;
  for (const std::string& source : sources) {
    const std::string known = place.run_of ? place.run_of(source_digest(source)) : std::string();
    if (known.empty()) return Status::ok();
    run = known;
  }
  return Status::error(fmt::format(
      "{}: holds {} already, as run {}: `tauprof analyze {}` reads it; to import it once more, choose another "
      "directory with -o, or remove this one",
      place.directory, sources.size() == 1 ? "this trace" : "these traces", run, place.directory));
}

Status prepare(const LogPlace& place, std::string& folder) {
  folder = place.directory;
  if (Status status = make_log_directory(place.directory); !status.is_ok()) return status;
  return place.make_folder ? place.make_folder(place.directory, folder) : Status::ok();
}

std::string import_id(const LogPlace& place, std::string_view format) {
  if (place.is_private) return std::string(format);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  return fmt::format("{}-{:x}-{:x}", format, ns, getpid());
}

std::string publish_log(const std::string& log, const std::string& directory, std::string_view stem) {
  for (int number = 1; number < kMaxNameTries; ++number) {
    const std::string name =
        fmt::format("{}/{}{}{}", directory, stem, number > 1 ? fmt::format("-{}", number) : "", log::kFileSuffix);
    if (rename_to_new(log, name)) return name;
    if (errno != EEXIST) return {};
  }
  return {};
}

}  // namespace tauprof
