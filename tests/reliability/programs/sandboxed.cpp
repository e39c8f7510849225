// Takes rights from itself, as a sandbox does, before its first call or after it, and works on for half a second:
//
//   sandboxed WAY before|after [FOLDER]
//
// FOLDER is what a jail shows.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "counted_calls.h"

namespace {

std::string jail;

bool limit_descriptors(rlim_t count) {
  const rlimit limit{count, count};
  return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

bool own_mounts() {
  return unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

bool change_root() { return chroot(jail.c_str()) == 0 && chdir("/") == 0; }

bool pivot_root() {
  return own_mounts() && mount(jail.c_str(), jail.c_str(), nullptr, MS_BIND, nullptr) == 0 &&
         chdir(jail.c_str()) == 0 && syscall(SYS_pivot_root, ".", ".") == 0 && umount2(".", MNT_DETACH) == 0 &&
         chdir("/") == 0;
}

bool unmount_proc() { return own_mounts() && umount2("/proc", MNT_DETACH) == 0; }

bool hide_proc() { return own_mounts() && mount("none", "/proc", "tmpfs", 0, nullptr) == 0; }

// Files can be read below the jail alone.
bool restrict_by_landlock() {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  const int rules = static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0));
  landlock_path_beneath_attr beneath{};
  beneath.allowed_access = handled.handled_access_fs;
  beneath.parent_fd = open(jail.c_str(), O_PATH);
  const bool is_done = rules >= 0 &&
                       syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0 &&
                       syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  close(beneath.parent_fd);
  close(rules);
  return is_done;
}

// openat() fails on every thread.
bool refuse_openat(int error) {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{4, code};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

// Memory that is mapped from now on is locked, and the limit is less than a thread's stack: mmap() answers EAGAIN.
bool lock_memory() {
  constexpr uid_t kNobody = 65534;
  constexpr rlim_t kBytes = 2 << 20;
  const rlimit limit{kBytes, kBytes};
  return setrlimit(RLIMIT_MEMLOCK, &limit) == 0 && setresuid(kNobody, kNobody, kNobody) == 0 &&
         mlockall(MCL_FUTURE) == 0;
}

bool use_up_descriptors() {
  if (!limit_descriptors(64)) return false;
  while (open("/dev/null", O_RDONLY) >= 0) {
  }
  return errno == EMFILE;
}

const std::map<std::string, bool (*)()> kWays = {
    {"no_descriptors", [] { return limit_descriptors(0); }},
    {"three_descriptors", [] { return limit_descriptors(3); }},
    {"chroot", change_root},
    {"pivot_root", pivot_root},
    {"unmounted_proc", unmount_proc},
    {"hidden_proc", hide_proc},
    {"landlock", restrict_by_landlock},
    {"EPERM", [] { return refuse_openat(EPERM); }},
    {"ENOSYS", [] { return refuse_openat(ENOSYS); }},
    {"EACCES", [] { return refuse_openat(EACCES); }},
    {"EMFILE", use_up_descriptors},
    {"locked_memory", lock_memory},
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const bool is_after = std::strcmp(arguments[2], "after") == 0;
  jail = count > 3 ? arguments[3] : "/";
  if (is_after) {
    programs::use_device();
    programs::make_calls_slowly(20);
  }
  if (!kWays.at(arguments[1])()) {
    std::printf("not possible: %s\n", std::strerror(errno));
    return 0;
  }
  if (!is_after) programs::use_device();
  programs::make_calls_slowly(50);
  cudaDeviceSynchronize();
  return programs::print_calls();
}
