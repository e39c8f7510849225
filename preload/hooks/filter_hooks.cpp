// prctl() and syscall(): a program that installs a filter of system calls does so by one of them. Where the filter can
// kill, the recorder must know before (capture/base/quiet.h). All calls pass on unchanged, with a jump.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "capture/base/kept_errno.h"
#include "capture/base/own_memory.h"
#include "capture/base/quiet.h"
#include "capture/loader/loaded_definition.h"
#include "capture/rings/recording.h"
#include "capture/session/session.h"
#include "hooks/call_first.h"
#include "hooks/libc_hooks.h"

namespace tauprof::hooks {
namespace {

constexpr uint32_t kLog = 0x7ffc0000;  // SECCOMP_RET_LOG, which older headers lack

bool is_deadly(const sock_filter& instruction) {
  if ((instruction.code & 0x07) != BPF_RET) return false;
  const uint32_t action = instruction.k & SECCOMP_RET_ACTION_FULL;
  const bool is_constant = (instruction.code & 0x18) == BPF_K;
  return !is_constant || (action != SECCOMP_RET_ALLOW && action != SECCOMP_RET_ERRNO && action != kLog);
}

// One that kills, or tells somebody else. What cannot be read may be such a one; null is no filter: a question whether
// there are filters.
bool is_deadly(uint64_t address) {
  sock_fprog program;
  if (address == 0) return false;
  if (!capture::read_own_memory(address, &program, sizeof program)) return true;
  sock_filter some[64];
  constexpr unsigned kSome = sizeof some / sizeof *some;
  for (unsigned i = 0; i < program.len; i += kSome) {
    const unsigned count = program.len - i < kSome ? program.len - i : kSome;
    if (!capture::read_own_memory(reinterpret_cast<uint64_t>(program.filter + i), some, count * sizeof *some))
      return true;
    for (unsigned j = 0; j < count; ++j)
      if (is_deadly(some[j])) return true;
  }
  return false;
}

// The kernel takes the time stamp counter, without which nothing can be recorded.
void no_clock_comes() { capture::end_session_now("the program has given up the processor's clock"); }

// A filter for all threads is one for the recorder's, too, which cannot work without system calls.
void filter_comes(bool is_strict, bool is_for_all, uint64_t program) {
  if (!capture::may_record()) return;
  if (capture::is_quiet() || (!is_strict && !is_deadly(program))) return;
  if (is_strict) return no_clock_comes();
  if (is_for_all) capture::end_session_now("the program filters the system calls of all threads");
  __atomic_store_n(&capture::has_deadly_filter, 1, __ATOMIC_RELEASE);
}

}  // namespace

extern "C" {

[[gnu::visibility("hidden")]] void* tauprof_real_prctl;
[[gnu::visibility("hidden")]] void* tauprof_real_syscall;

[[gnu::visibility("hidden"), gnu::used]] void tauprof_before_prctl(int option, uint64_t mode, uint64_t program) {
  const capture::KeptErrno kept;
  if (option == PR_SET_TSC && mode == PR_TSC_SIGSEGV && capture::may_record()) return no_clock_comes();
  if (option == PR_SET_SECCOMP) filter_comes(mode == SECCOMP_MODE_STRICT, false, program);
}

[[gnu::visibility("hidden"), gnu::used]] void tauprof_before_syscall(long number, uint64_t first, uint64_t second,
                                                                     uint64_t third) {
  const capture::KeptErrno kept;
  if (number == SYS_prctl) tauprof_before_prctl(static_cast<int>(first), second, third);
  if (number != SYS_seccomp || (first != SECCOMP_SET_MODE_STRICT && first != SECCOMP_SET_MODE_FILTER)) return;
  filter_comes(first == SECCOMP_SET_MODE_STRICT, (second & SECCOMP_FILTER_FLAG_TSYNC) != 0, third);
}
}

void find_real_system_calls() {
  __atomic_store_n(&tauprof_real_prctl, capture::next_definition("prctl"), __ATOMIC_RELEASE);
  __atomic_store_n(&tauprof_real_syscall, capture::next_definition("syscall"), __ATOMIC_RELEASE);
}

}  // namespace tauprof::hooks

// Before the constructor has run, the kernel is asked directly. A function that chooses an implementation may call these
// while the loader has not yet relocated this library: then errno is out of reach.
extern "C" {
[[gnu::visibility("hidden")]] extern const void* const volatile tauprof_self;
[[gnu::used]] const void* const volatile tauprof_self = const_cast<const void*>(reinterpret_cast<const volatile void*>(&tauprof_self));
}
#if defined(__x86_64__)
#define TAUPROF_FAILED \
  "  leaq tauprof_self(%rip), %r11\n  cmpq %r11, tauprof_self(%rip)\n  jne 5f\n  pushq %rbx\n  .cfi_adjust_cfa_offset 8\n  movl %eax, %ebx\n  negl %ebx\n  call __errno_location@PLT\n" \
  "  movl %ebx, (%rax)\n  popq %rbx\n  .cfi_adjust_cfa_offset -8\n" \
  "5:\n  movq $-1, %rax\n  ret\n"
asm(R"(
.text
.p2align 4
.globl syscall
.type syscall, @function
syscall:
  .cfi_startproc
  endbr64
  movq tauprof_real_syscall(%rip), %r11
  testq %r11, %r11
  jz 3f
  cmpq $157, %rdi
  je 1f
  cmpq $317, %rdi
  je 1f
  jmp *%r11
1:
)" TAUPROF_CALL_FIRST("tauprof_before_syscall") R"(
  jmp *tauprof_real_syscall(%rip)
3:
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %rdx, %rsi
  movq %rcx, %rdx
  movq %r8, %r10
  movq %r9, %r8
  movq 8(%rsp), %r9
  syscall
  cmpq $-4095, %rax
  jae 4f
  ret
4:
)" TAUPROF_FAILED R"(
  .cfi_endproc
.size syscall, .-syscall

.p2align 4
.globl prctl
.type prctl, @function
prctl:
  .cfi_startproc
  endbr64
  movq tauprof_real_prctl(%rip), %r11
  testq %r11, %r11
  jz 3f
  cmpl $22, %edi
  je 1f
  cmpl $26, %edi
  je 1f
  jmp *%r11
1:
)" TAUPROF_CALL_FIRST("tauprof_before_prctl") R"(
  jmp *tauprof_real_prctl(%rip)
3:
  movl $157, %eax
  movq %rcx, %r10
  syscall
  cmpq $-4095, %rax
  jae 4f
  ret
4:
)" TAUPROF_FAILED R"(
  .cfi_endproc
.size prctl, .-prctl
)");
#elif defined(__aarch64__)
#define TAUPROF_FAILED                                                                                        \
  "  adrp x16, tauprof_self\n  add x16, x16, :lo12:tauprof_self\n  ldr x17, [x16]\n  cmp x16, x17\n  b.ne 5f\n"     \
  "  stp x19, x30, [sp, #-16]!\n  neg w19, w0\n  bl __errno_location\n  str w19, [x0]\n  ldp x19, x30, [sp], #16\n" \
  "5:\n  mov x0, #-1\n  ret\n"
asm(R"(
.text
.p2align 4
.globl syscall
.type syscall, %function
syscall:
  .cfi_startproc
  bti c
  adrp x16, tauprof_real_syscall
  ldr x16, [x16, :lo12:tauprof_real_syscall]
  cbz x16, 3f
  cmp x0, #167
  b.eq 1f
  cmp x0, #277
  b.eq 1f
  br x16
1:
)" TAUPROF_CALL_FIRST("tauprof_before_syscall") R"(
  adrp x16, tauprof_real_syscall
  ldr x16, [x16, :lo12:tauprof_real_syscall]
  br x16
3:
  mov x8, x0
  mov x0, x1
  mov x1, x2
  mov x2, x3
  mov x3, x4
  mov x4, x5
  mov x5, x6
  svc #0
  cmn x0, #4095
  b.hs 4f
  ret
4:
)" TAUPROF_FAILED R"(
  .cfi_endproc
.size syscall, .-syscall

.p2align 4
.globl prctl
.type prctl, %function
prctl:
  .cfi_startproc
  bti c
  adrp x16, tauprof_real_prctl
  ldr x16, [x16, :lo12:tauprof_real_prctl]
  cbz x16, 3f
  cmp w0, #22
  b.eq 1f
  cmp w0, #26
  b.eq 1f
  br x16
1:
)" TAUPROF_CALL_FIRST("tauprof_before_prctl") R"(
  adrp x16, tauprof_real_prctl
  ldr x16, [x16, :lo12:tauprof_real_prctl]
  br x16
3:
  mov x8, #167
  svc #0
  cmn x0, #4095
  b.hs 4f
  ret
4:
)" TAUPROF_FAILED R"(
  .cfi_endproc
.size prctl, .-prctl
)");
#endif
