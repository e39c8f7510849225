// execve() and its kind: a process that replaces itself runs no exit handler, and what it did in its last 100 ms would
// be lost. The calls pass on unchanged, with a jump. Children of vfork() call these functions, too: in them, and where
// nothing is recorded, nothing is done.
#include "capture/base/kept_errno.h"
#include "capture/loader/loaded_definition.h"
#include "capture/session/session.h"
#include "hooks/call_first.h"
#include "hooks/libc_hooks.h"

#define TAUPROF_EXECS(EXEC) \
  EXEC(execve) EXEC(execv) EXEC(execvp) EXEC(execvpe) EXEC(execl) EXEC(execlp) EXEC(execle) EXEC(fexecve)

extern "C" {
#define TAUPROF_REAL(name) [[gnu::visibility("hidden")]] void* tauprof_real_##name;
TAUPROF_EXECS(TAUPROF_REAL)
}

namespace tauprof::hooks {

void find_real_execs() {
#define TAUPROF_FIND(name) __atomic_store_n(&tauprof_real_##name, capture::next_definition(#name), __ATOMIC_RELEASE);
  TAUPROF_EXECS(TAUPROF_FIND)
}

}  // namespace tauprof::hooks

extern "C" [[gnu::visibility("hidden"), gnu::used]] void tauprof_before_exec() {
  const tauprof::capture::KeptErrno kept;
  // Constructors of other libraries may run before ours.
  if (__atomic_load_n(&tauprof_real_execve, __ATOMIC_ACQUIRE) == nullptr) tauprof::hooks::find_real_execs();
  tauprof::capture::write_before_exec();
}

#if defined(__x86_64__)
#define TAUPROF_TYPE "@function"
#define TAUPROF_START "  endbr64\n"
#define TAUPROF_PASS_ON(name) "  jmp *tauprof_real_" name "(%rip)\n"
#elif defined(__aarch64__)
#define TAUPROF_TYPE "%function"
#define TAUPROF_START "  bti c\n"
#define TAUPROF_PASS_ON(name) \
  "  adrp x16, tauprof_real_" name "\n  ldr x16, [x16, :lo12:tauprof_real_" name "]\n  br x16\n"
#endif
#define TAUPROF_EXEC(name)                                                                                          \
  asm(".text\n.p2align 4\n.globl " #name "\n.type " #name ", " TAUPROF_TYPE "\n" #name ":\n  .cfi_startproc\n"     \
      TAUPROF_START TAUPROF_CALL_FIRST("tauprof_before_exec") TAUPROF_PASS_ON(#name) "  .cfi_endproc\n.size " #name \
      ", .-" #name "\n");
TAUPROF_EXECS(TAUPROF_EXEC)
