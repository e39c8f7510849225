#include "cli/simulated_leftovers.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

namespace tauprof {
namespace {

constexpr std::string_view kPrefix = "simgpu-bell-";  // then the process, as preload/simgpu's doorbell.cpp names it
constexpr int kMostTries = 20;
constexpr std::chrono::milliseconds kBetweenTries{50};

// 0: it is no such file.
pid_t owner_of(const std::string& name) {
  pid_t owner = 0;
  if (name.starts_with(kPrefix)) std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), owner);
  return owner;
}

// False if processes of this group still live.
bool remove_those_of_the_dead() {
  bool are_all_dead = true;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/dev/shm", error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const pid_t owner = owner_of(entry->path().filename().string());
    if (owner <= 0) continue;
    if (kill(owner, 0) != 0 && errno == ESRCH) {
      std::error_code ignored;
      std::filesystem::remove(entry->path(), ignored);
    } else if (getpgid(owner) == getpgrp()) {
      are_all_dead = false;
    }
  }
  return are_all_dead;
}

}  // namespace

void remove_simulated_leftovers() {
  for (int i = 0; i < kMostTries && !remove_those_of_the_dead(); ++i) std::this_thread::sleep_for(kBetweenTries);
}

}  // namespace tauprof
