// dlopen(): who opens another copy of CUPTI while we use one gets ours, and NCCL, which opens a profiler plugin of this
// name where no variable names another, gets this library (which hands the events on: nccl_forwarding.h).
//
// A process can use one copy. A second one is refused whatever it asks for (CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_
// SUPPORTED), even after the first has been finalized (13.0 Update 1 on an H100). Proton, Triton's profiler, brings its
// own and ends the program then. With the copy that is in use, it is a client that no hook sees (record_watch.h).
//
// All other calls pass unchanged: with a jump, because dlopen() searches for the caller, whose RUNPATH counts.
//
// It is exported with the versions that programs ask for, and not without one. A library of Nsight Compute's that has a
// dlopen() of its own, without a version, takes the object in which it finds the address of `dlopen` for itself: it
// handed our handle to programs that open the driver. Inside of this library, `dlopen` is the function behind the hook.
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "capture/device/cupti_library.h"
#include "capture/loader/loaded_definition.h"
#include "hooks/libc_hooks.h"
#include "hooks/offered_library.h"

extern "C" {

using Dlopen = void* (*)(const char*, int);
[[gnu::visibility("hidden")]] Dlopen tauprof_real_dlopen;
}

namespace tauprof::hooks {

void find_real_dlopen() {
  __atomic_store_n(&tauprof_real_dlopen, reinterpret_cast<Dlopen>(capture::next_definition("dlopen")),
                   __ATOMIC_RELEASE);
}

namespace {
__thread uintptr_t dlopen_frame __attribute__((tls_model("initial-exec")));  // of the thread's last call
}

bool may_be_inside_dlopen() { return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < dlopen_frame; }

}  // namespace tauprof::hooks

extern "C" {

[[gnu::visibility("hidden")]] void* dlopen(const char* path, int mode) noexcept {
  return tauprof_real_dlopen(path, mode);
}

// The path that is opened instead of `path`.
[[gnu::visibility("hidden"), gnu::used]] const char* tauprof_path_to_open(const char* path, int mode) {
  tauprof::hooks::dlopen_frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  // Constructors of other libraries may open libraries before ours has run.
  if (__atomic_load_n(&tauprof_real_dlopen, __ATOMIC_ACQUIRE) == nullptr) tauprof::hooks::find_real_dlopen();
  if (path == nullptr || (mode & RTLD_NOLOAD) != 0) return path;
  const char* const plugin = tauprof::hooks::offered_library();
  if (plugin != nullptr && strcmp(path, tauprof::hooks::kDefaultNcclPlugin) == 0) return plugin;
  constexpr char kCupti[] = "libcupti.so";
  const char* const slash = strrchr(path, '/');
  if (strncmp(slash != nullptr ? slash + 1 : path, kCupti, strlen(kCupti)) != 0) return path;
  const char* const in_use = tauprof::capture::CuptiLibrary::path_in_use();
  return in_use != nullptr ? in_use : path;
}
}

#if defined(__x86_64__)
#define TAUPROF_OLDEST_DLOPEN "GLIBC_2.2.5"
asm(R"(
.text
.p2align 4
.globl tauprof_dlopen_1
.globl tauprof_dlopen_2
.type tauprof_dlopen_1, @function
.type tauprof_dlopen_2, @function
tauprof_dlopen_1:
tauprof_dlopen_2:
  .cfi_startproc
  endbr64
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call tauprof_path_to_open
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  movq %rax, %rdi
  jmp *tauprof_real_dlopen(%rip)
  .cfi_endproc
.size tauprof_dlopen_1, .-tauprof_dlopen_1
.size tauprof_dlopen_2, .-tauprof_dlopen_2
)");
#elif defined(__aarch64__)
#define TAUPROF_OLDEST_DLOPEN "GLIBC_2.17"
asm(R"(
.text
.p2align 4
.globl tauprof_dlopen_1
.globl tauprof_dlopen_2
.type tauprof_dlopen_1, %function
.type tauprof_dlopen_2, %function
tauprof_dlopen_1:
tauprof_dlopen_2:
  .cfi_startproc
  bti c
  stp x29, x30, [sp, #-32]!
  .cfi_adjust_cfa_offset 32
  .cfi_rel_offset x29, 0
  .cfi_rel_offset x30, 8
  str x1, [sp, #16]
  bl tauprof_path_to_open
  ldr x1, [sp, #16]
  ldp x29, x30, [sp], #32
  .cfi_adjust_cfa_offset -32
  .cfi_restore x29
  .cfi_restore x30
  adrp x16, tauprof_real_dlopen
  ldr x16, [x16, :lo12:tauprof_real_dlopen]
  br x16
  .cfi_endproc
.size tauprof_dlopen_1, .-tauprof_dlopen_1
.size tauprof_dlopen_2, .-tauprof_dlopen_2
)");
#endif
asm(".symver tauprof_dlopen_1, dlopen@" TAUPROF_OLDEST_DLOPEN
    ", remove\n"
    ".symver tauprof_dlopen_2, dlopen@GLIBC_2.34, remove\n");
