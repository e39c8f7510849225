// The training program's main under another name: C++ lets nobody call main, and the library exports nothing else.
asm(".text\n.globl run_training\n.type run_training, @function\nrun_training:\n  jmp main\n");
