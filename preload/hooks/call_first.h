// For hooks in assembly that pass on with a jump: calls a function of ours with the hook's arguments, and leaves them
// as they are. The stack has no frame of ours when the real function runs.
#pragma once

#if defined(__x86_64__)
#define TAUPROF_CALL_FIRST(function)                                                        \
  "  pushq %rdi\n  .cfi_adjust_cfa_offset 8\n  pushq %rsi\n  .cfi_adjust_cfa_offset 8\n"    \
  "  pushq %rdx\n  .cfi_adjust_cfa_offset 8\n  pushq %rcx\n  .cfi_adjust_cfa_offset 8\n"    \
  "  pushq %r8\n  .cfi_adjust_cfa_offset 8\n  pushq %r9\n  .cfi_adjust_cfa_offset 8\n"      \
  "  pushq %rax\n  .cfi_adjust_cfa_offset 8\n  call " function                              \
  "\n"                                                                                      \
  "  popq %rax\n  .cfi_adjust_cfa_offset -8\n  popq %r9\n  .cfi_adjust_cfa_offset -8\n"     \
  "  popq %r8\n  .cfi_adjust_cfa_offset -8\n  popq %rcx\n  .cfi_adjust_cfa_offset -8\n"     \
  "  popq %rdx\n  .cfi_adjust_cfa_offset -8\n  popq %rsi\n  .cfi_adjust_cfa_offset -8\n"    \
  "  popq %rdi\n  .cfi_adjust_cfa_offset -8\n"
#elif defined(__aarch64__)
#define TAUPROF_CALL_FIRST(function)                                                                     \
  "  stp x29, x30, [sp, #-80]!\n  .cfi_adjust_cfa_offset 80\n  .cfi_rel_offset x29, 0\n"                 \
  "  .cfi_rel_offset x30, 8\n  stp x0, x1, [sp, #16]\n  stp x2, x3, [sp, #32]\n  stp x4, x5, [sp, #48]\n" \
  "  stp x6, x7, [sp, #64]\n  bl " function                                                              \
  "\n"                                                                                                   \
  "  ldp x0, x1, [sp, #16]\n  ldp x2, x3, [sp, #32]\n  ldp x4, x5, [sp, #48]\n  ldp x6, x7, [sp, #64]\n"  \
  "  ldp x29, x30, [sp], #80\n  .cfi_adjust_cfa_offset -80\n  .cfi_restore x29\n  .cfi_restore x30\n"
#endif
