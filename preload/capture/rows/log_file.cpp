#include "capture/rows/log_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/base/clock.h"
#include "capture/base/messages.h"
#include "capture/base/small_file.h"
#include "capture/rows/log_text.h"
#include "capture/rows/masked_command.h"
#include "log/file_facts.h"

namespace tauprof::capture {
namespace {

constexpr int kMostTries = 100;  // of names that processes with this pid and start second may have taken

// The log may be renamed later, and the program may have changed its directory by then.
bool make_absolute(const char* directory, char* path, size_t size) {
  if (*directory == '/') return static_cast<size_t>(snprintf(path, size, "%s", directory)) < size;
  char here[4096];
  if (getcwd(here, sizeof here) == nullptr) return false;
  return static_cast<size_t>(snprintf(path, size, "%s/%s", here, directory)) < size;
}

// Creates all folders of `path`. Only the last one is private to the user.
bool make_directory(const char* path) {
  char part[4096];
  const size_t size = strlen(path);
  for (size_t i = 1; i <= size; ++i) {
    if (i != size && path[i] != '/') continue;
    memcpy(part, path, i);
    part[i] = '\0';
    if (mkdir(part, i == size ? 0700 : 0777) != 0 && errno != EEXIST && errno != EISDIR) return false;
  }
  return true;
}

// Whether somebody else may put files of his own, or links, under names of ours. In a folder with the sticky bit nobody
// can remove or rename what is ours. A folder of the process's own group is taken as private.
bool others_may_write(const char* folder) {
  struct stat facts;
  if (!log::read_facts_behind(folder, facts) || (facts.st_mode & S_ISVTX) != 0) return false;
  return (facts.st_mode & S_IWOTH) != 0 || ((facts.st_mode & S_IWGRP) != 0 && facts.st_gid != getegid());
}

int hex_digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

void read_boot_id(uint8_t (&id)[16]) {
  char text[64];
  const size_t size = read_small_file("/proc/sys/kernel/random/boot_id", text, sizeof text);
  unsigned digits = 0;
  for (size_t i = 0; i < size && digits < 32; ++i) {
    const int digit = hex_digit(text[i]);
    if (digit < 0) continue;
    id[digits / 2] = static_cast<uint8_t>(id[digits / 2] << 4 | digit);
    ++digits;
  }
}

// A process without a launcher is a run of its own until it joins a communicator. If there is a launcher that gives no
// run id, the communicator will give one.
void name_run(log::FileHeader& header, const Placement& placement) {
  if (*placement.run_id != '\0')
    snprintf(header.run_id, sizeof header.run_id, "%s", placement.run_id);
  else if (placement.world_size <= 1)
    snprintf(header.run_id, sizeof header.run_id, "%.60s-%u-%llx", header.host, header.pid,
             static_cast<unsigned long long>(header.start_realtime_ns) / 1'000'000);
}

size_t read_command(char* text, size_t room) {
  static char arguments[4096];  // once per process, and the thread's stack may be small
  const size_t size = read_small_file("/proc/self/cmdline", arguments, sizeof arguments);
  return write_masked_command(arguments, size, text, room);
}

// A program may have gone into a chroot since the library was loaded.
uint64_t g_root_device, g_root_inode;

bool has_another_root() {
  struct stat facts;
  return g_root_inode != 0 && log::read_facts_of_name("/", facts) &&
         (facts.st_dev != g_root_device || facts.st_ino != g_root_inode);
}

}  // namespace

void note_root() {
  struct stat facts;
  if (!log::read_facts_of_name("/", facts)) return;
  g_root_device = facts.st_dev;
  g_root_inode = facts.st_ino;
}

bool open_log(log::Writer& writer, const char* directory, const Placement& placement) {
  log::FileHeader header{};
  header.clock = static_cast<uint32_t>(log::Clock::kMonotonic);
  header.start_time_ns = static_cast<int64_t>(now_ns());
  header.start_realtime_ns = static_cast<int64_t>(clock_ns(CLOCK_REALTIME));
  header.pid = static_cast<uint32_t>(getpid());
  read_boot_id(header.boot_id);
  if (gethostname(header.host, sizeof header.host - 1) != 0) header.host[0] = '\0';
  name_run(header, placement);
  char folder[4096];
  if (!make_absolute(directory, folder, sizeof folder) || !make_directory(folder)) {
    say(LogLevel::kError, Cause::kRecorder, "cannot make the log directory %s: %s; nothing is recorded", directory,
        strerror(errno));
    return false;
  }
  if (others_may_write(folder)) {
    say(LogLevel::kError, Cause::kRecorder,
        "others can write into the log directory %s, which has no sticky bit; nothing is recorded (chmod go-w)",
        directory);
    return false;
  }
  time_t seconds = header.start_realtime_ns / 1'000'000'000;
  tm utc{};
  gmtime_r(&seconds, &utc);
  char start[32], path[4096 + 256];
  strftime(start, sizeof start, "%Y%m%dT%H%M%SZ", &utc);
  for (int i = 0; i < kMostTries; ++i) {
    char again[16] = "";
    if (i > 0) snprintf(again, sizeof again, "-%d", i);
    snprintf(path, sizeof path, "%s/%s-%u-%s%s%s", folder, header.host, header.pid, start, again, log::kFileSuffix);
    if (access(path, F_OK) == 0) continue;
    if (writer.open(path, header)) {
      if (has_another_root())
        say(LogLevel::kWarn, Cause::kRoot, "the program has another root directory now: its log is %s there", path);
      return true;
    }
    break;
  }
  say(LogLevel::kError, Cause::kRecorder, "cannot create a log %s: %s; nothing is recorded", path,
      strerror(writer.error()));
  return false;
}

void write_first_facts(log::Writer& writer, const Placement& placement) {
  put_attribute(writer, "source", "preload");
  put_attribute(writer, "version.tauprof", TAUPROF_VERSION);
  char command[4096];
  const int64_t name = intern(writer, "command");
  writer.append(log::Attribute{name, writer.intern(command, read_command(command, sizeof command))});
  if (*placement.launcher != '\0') put_attribute(writer, "launcher", placement.launcher);
  writer.append(log::Process{placement.rank, placement.world_size, placement.local_rank, placement.local_world_size});
}

void write_wishes(log::Writer& writer, const Configuration& configuration, bool has_stacks) {
  if (*configuration.step_marker != '\0') put_attribute(writer, "step_marker", configuration.step_marker);
  if (configuration.start_step != 0) put_attribute(writer, "start_step", configuration.start_step);
  if (configuration.steps != 0) put_attribute(writer, "steps", configuration.steps);
  if (configuration.every.of != 0) {
    char share[24];
    snprintf(share, sizeof share, "%u/%u", configuration.every.full, configuration.every.of);
    put_attribute(writer, "full_steps", share);
  }
  if ((configuration.categories & kCategoryNcclPhases) != 0) put_attribute(writer, "nccl_phases", "asked");
  if (!has_stacks) return;
  put_attribute(writer, "stacks", configuration.stacks == StackMode::kAll ? "all" : "slow");
  put_attribute(writer, "stack_min_ns", configuration.stack_min_ns);
}

}  // namespace tauprof::capture
