// prctl() and syscall(): a program that installs a filter of system calls does so by one of them. Where the filter can
// kill, the recorder must know before (capture/base/quiet.h), and forgets it where the kernel refuses the filter. All
// other calls pass on with a jump.
#include <errno.h>
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
#include "hooks/libc_hooks.h"
#include "hooks/relocated.h"

extern "C" {
using Prctl = int (*)(int, uint64_t, uint64_t, uint64_t, uint64_t);
using Syscall = long (*)(long, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
[[gnu::visibility("hidden")]] Prctl tauprof_real_prctl;
[[gnu::visibility("hidden")]] Syscall tauprof_real_syscall;
}

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

// Abilities that the program loses if the kernel grants the call.
enum class Taken { kNothing, kSystemCalls, kSystemCallsOfAll, kClock };

// Asks for the same filter with instructions that cannot be read: it is refused for that, or for something else before.
bool refuses_all_such(unsigned flags, const sock_fprog& program) {
  const sock_fprog unreadable{program.len, reinterpret_cast<sock_filter*>(-1)};
  const auto address = reinterpret_cast<uint64_t>(&unreadable);
  return tauprof_real_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, address, 0, 0, 0) < 0 && errno != EFAULT;
}

Taken taken_by_filter(uint64_t address, unsigned flags) {
  if (capture::is_quiet() || !is_deadly(address)) return Taken::kNothing;
  if ((flags & SECCOMP_FILTER_FLAG_TSYNC) == 0) return Taken::kSystemCalls;
  sock_fprog program;
  if (capture::read_own_memory(address, &program, sizeof program) && refuses_all_such(flags, program))
    return Taken::kNothing;
  return Taken::kSystemCallsOfAll;
}

// A thread that has a filter cannot change to strict mode.
Taken taken_by_strict_mode() {
  const bool is_refused = !capture::is_quiet() && tauprof_real_prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0;
  return is_refused ? Taken::kNothing : Taken::kClock;
}

Taken taken_by_prctl(int option, uint64_t mode, uint64_t program) {
  if (option == PR_SET_TSC) return mode == PR_TSC_SIGSEGV ? Taken::kClock : Taken::kNothing;
  if (option != PR_SET_SECCOMP) return Taken::kNothing;
  if (mode == SECCOMP_MODE_STRICT) return taken_by_strict_mode();
  return mode == SECCOMP_MODE_FILTER ? taken_by_filter(program, 0) : Taken::kNothing;
}

Taken taken_by_seccomp(uint64_t operation, uint64_t flags, uint64_t program) {
  if (operation == SECCOMP_SET_MODE_FILTER) return taken_by_filter(program, static_cast<unsigned>(flags));
  const bool is_strict = operation == SECCOMP_SET_MODE_STRICT && flags == 0 && program == 0;
  return is_strict ? taken_by_strict_mode() : Taken::kNothing;
}

Taken taken_by_syscall(long number, uint64_t first, uint64_t second, uint64_t third) {
  return number == SYS_prctl ? taken_by_prctl(static_cast<int>(first), second, third)
                             : taken_by_seccomp(first, second, third);
}

// The recorder's threads cannot work without system calls, and its hooks not without the clock (strict mode takes the
// time stamp counter, too): the recording ends before.
void prepare_for(Taken taken) {
  if (taken == Taken::kClock) capture::end_session_now("the program has given up the processor's clock");
  if (taken == Taken::kSystemCallsOfAll)
    capture::end_session_now("the program filters the system calls of all threads");
}

// Makes the call. From before it until the kernel has refused, hooks make no system calls of their own: a handler of a
// signal may call CUDA in between. A filter with a listener is answered with its descriptor, one for all threads with
// the number of a thread that cannot have it.
template <class Taking, class Call>
auto watch(Taking taking, bool has_listener, Call call) {
  Taken taken = Taken::kNothing;
  if (capture::may_record()) {
    const capture::KeptErrno kept;
    taken = taking();
    prepare_for(taken);
  }
  const bool is_filter = taken == Taken::kSystemCalls || taken == Taken::kSystemCallsOfAll;
  if (is_filter) __atomic_add_fetch(&capture::deadly_filters, 1, __ATOMIC_SEQ_CST);
  const auto answer = call();
  const bool is_refused = answer < 0 || (answer > 0 && !has_listener);
  if (is_filter && is_refused) __atomic_sub_fetch(&capture::deadly_filters, 1, __ATOMIC_SEQ_CST);
  return answer;
}

// Before the constructor has run, the kernel is asked directly. A function that chooses an implementation may call
// these while the loader has not yet relocated this library: then errno is out of reach.
long ask_kernel(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f) {
#if defined(__x86_64__)
  long answer = number;
  register uint64_t fourth asm("r10") = d;
  register uint64_t fifth asm("r8") = e;
  register uint64_t sixth asm("r9") = f;
  asm volatile("syscall"
               : "+a"(answer)
               : "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long answer asm("x0") = static_cast<long>(a);
  register uint64_t second asm("x1") = b;
  register uint64_t third asm("x2") = c;
  register uint64_t fourth asm("x3") = d;
  register uint64_t fifth asm("x4") = e;
  register uint64_t sixth asm("x5") = f;
  register long called asm("x8") = number;
  asm volatile("svc #0"
               : "+r"(answer)
               : "r"(called), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
               : "memory");
#endif
  constexpr long kLargestError = 4095;
  if (answer < 0 && answer >= -kLargestError) {
    if (is_relocated()) errno = static_cast<int>(-answer);
    return -1;
  }
  return answer;
}

}  // namespace

extern "C" {

[[gnu::visibility("hidden"), gnu::used]] long tauprof_early_syscall(long number, uint64_t a, uint64_t b, uint64_t c,
                                                                    uint64_t d, uint64_t e, uint64_t f) {
  return ask_kernel(number, a, b, c, d, e, f);
}

[[gnu::visibility("hidden"), gnu::used]] int tauprof_early_prctl(int option, uint64_t a, uint64_t b, uint64_t c,
                                                                 uint64_t d) {
  return static_cast<int>(ask_kernel(SYS_prctl, static_cast<uint64_t>(option), a, b, c, d, 0));
}

[[gnu::visibility("hidden"), gnu::used]] long tauprof_watched_syscall(long number, uint64_t a, uint64_t b, uint64_t c,
                                                                      uint64_t d, uint64_t e, uint64_t f) {
  const bool has_listener = number == SYS_seccomp && (b & SECCOMP_FILTER_FLAG_NEW_LISTENER) != 0;
  return watch([&] { return taken_by_syscall(number, a, b, c); }, has_listener,
               [&] { return tauprof_real_syscall(number, a, b, c, d, e, f); });
}

[[gnu::visibility("hidden"), gnu::used]] int tauprof_watched_prctl(int option, uint64_t a, uint64_t b, uint64_t c,
                                                                   uint64_t d) {
  return watch([&] { return taken_by_prctl(option, a, b); }, false,
               [&] { return tauprof_real_prctl(option, a, b, c, d); });
}
}

void find_real_system_calls() {
  __atomic_store_n(&tauprof_real_prctl, reinterpret_cast<Prctl>(capture::next_definition("prctl")), __ATOMIC_RELEASE);
  __atomic_store_n(&tauprof_real_syscall, reinterpret_cast<Syscall>(capture::next_definition("syscall")),
                   __ATOMIC_RELEASE);
}

}  // namespace tauprof::hooks

// The hook of `name`: calls with one of two numbers in a register are watched.
static_assert(PR_SET_SECCOMP == 22 && PR_SET_TSC == 26);
#if defined(__x86_64__)
static_assert(SYS_prctl == 157 && SYS_seccomp == 317);
asm(R"(
.macro tauprof_pass_on name, compare, number, one, other
.text
.p2align 4
.globl \name
.type \name, @function
\name\():
  .cfi_startproc
  endbr64
  movq tauprof_real_\name(%rip), %r11
  testq %r11, %r11
  jz tauprof_early_\name
  \compare $\one, \number
  je tauprof_watched_\name
  \compare $\other, \number
  je tauprof_watched_\name
  jmp *%r11
  .cfi_endproc
.size \name, .-\name
.endm
tauprof_pass_on syscall, cmpq, %rdi, 157, 317
tauprof_pass_on prctl, cmpl, %edi, 22, 26
)");
#elif defined(__aarch64__)
static_assert(SYS_prctl == 167 && SYS_seccomp == 277);
asm(R"(
.macro tauprof_pass_on name, number, one, other
.text
.p2align 4
.globl \name
.type \name, %function
\name\():
  .cfi_startproc
  bti c
  adrp x16, tauprof_real_\name
  ldr x16, [x16, :lo12:tauprof_real_\name]
  cbz x16, 1f
  cmp \number, #\one
  b.eq 2f
  cmp \number, #\other
  b.eq 2f
  br x16
1:
  b tauprof_early_\name
2:
  b tauprof_watched_\name
  .cfi_endproc
.size \name, .-\name
.endm
tauprof_pass_on syscall, x0, 167, 277
tauprof_pass_on prctl, w0, 22, 26
)");
#endif
