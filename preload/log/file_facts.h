// Asks what a descriptor or a name stands for, by system call: glibc's own functions have other names before 2.33.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tauprof::log {

// False: errno says why.
inline bool read_facts(int descriptor, struct stat& facts) { return syscall(SYS_fstat, descriptor, &facts) == 0; }

// Of the name itself, if it is a symbolic link.
inline bool read_facts_of_name(const char* path, struct stat& facts) {
  return syscall(SYS_newfstatat, AT_FDCWD, path, &facts, AT_SYMLINK_NOFOLLOW) == 0;
}

// Of what the name leads to.
inline bool read_facts_behind(const char* path, struct stat& facts) {
  return syscall(SYS_newfstatat, AT_FDCWD, path, &facts, 0) == 0;
}

}  // namespace tauprof::log
