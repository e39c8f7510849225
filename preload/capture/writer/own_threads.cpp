#include "capture/writer/own_threads.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/base/small_file.h"
#include "log/file_calls.h"
#include "log/file_facts.h"

namespace tauprof::capture {
namespace {

struct Entry {  // linux_dirent64
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[];
};

// Calls `is_wanted(id)` for one thread of this process after the other until it returns true; returns whether it did.
template <class IsWanted>
bool find_thread(IsWanted is_wanted) {
  return log::file_calls([&] {
    const int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return false;
    alignas(Entry) char entries[1024];  // small: the program's thread may have a small stack
    bool is_found = false;
    for (long size; !is_found && (size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;)
      for (long at = 0; !is_found && at < size;) {
        const auto* entry = reinterpret_cast<const Entry*>(entries + at);
        at += entry->length;
        if (*entry->name != '.') is_found = is_wanted(static_cast<uint32_t>(atoi(entry->name)));
      }
    close(folder);
    return is_found;
  });
}

size_t read_of_thread(uint32_t id, const char* file, char* text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%u/%s", id, file);
  const size_t length = read_small_file(path, text, size - 1);
  text[length] = '\0';
  return length;
}

bool has_ended(uint32_t id) {
  char text[256];
  if (read_of_thread(id, "stat", text, sizeof text) == 0) return true;
  const char* after_name = strrchr(text, ')');
  return after_name != nullptr && after_name[1] == ' ' && (after_name[2] == 'Z' || after_name[2] == 'X');
}

bool has_own_name(uint32_t id) {
  char own[32], of_program[32];
  return read_of_thread(id, "comm", own, sizeof own) != 0 &&
         read_of_thread(static_cast<uint32_t>(getpid()), "comm", of_program, sizeof of_program) != 0 &&
         strcmp(own, of_program) != 0;
}

}  // namespace

bool HelperThreads::has(uint32_t id) const {
  for (uint32_t i = 0; i < count; ++i)
    if (ids[i] == id) return true;
  return false;
}

NewThreads::NewThreads() {
  find_thread([this](uint32_t id) { return before_[count_] = id, ++count_ == kMost; });
}

void NewThreads::find(HelperThreads& helpers) const {
  if (count_ == kMost) return;
  find_thread([&](uint32_t id) {
    for (uint32_t i = 0; i < count_; ++i)
      if (before_[i] == id) return false;
    helpers.ids[helpers.count++] = id;
    return helpers.count == HelperThreads::kMost;
  });
}

bool is_last_thread(const HelperThreads& helpers, std::initializer_list<uint32_t> ours) {
  const auto main_thread = static_cast<uint32_t>(getpid());
  if (!has_ended(main_thread)) return false;
  const auto own = static_cast<uint32_t>(syscall(SYS_gettid));
  return !find_thread([&](uint32_t id) {
    for (const uint32_t one : ours)
      if (id == one) return false;
    return id != main_thread && id != own && !(helpers.has(id) && has_own_name(id)) && !has_ended(id);
  });
}

bool may_be_last_thread(const HelperThreads& helpers, uint32_t ours) {
  char program[2];
  if (readlink("/proc/self/exe", program, sizeof program) > 0) return false;  // a main thread that has ended has none
  struct stat facts;
  if (!log::read_facts_behind("/proc/self/task", facts)) return false;
  constexpr uint64_t kOwnLinks = 2, kMainAndCaller = 2;  // the folder has a link for each thread and two of its own
  return facts.st_nlink <= kOwnLinks + kMainAndCaller + ours + helpers.count;
}

}  // namespace tauprof::capture
