// Binds functions that newer versions of glibc have moved to their oldest versions, so that the library loads with old
// versions of glibc, too. They are defined here under their own names, hidden, so that libraries that are linked in use
// them as well.
#if defined(__GLIBC__) || defined(__linux__)
#if defined(__x86_64__)
#define TAUPROF_OLDEST "GLIBC_2.2.5"
#define TAUPROF_JUMP(old) "  jmp *" old "@GOTPCREL(%rip)\n"
#elif defined(__aarch64__)
#define TAUPROF_OLDEST "GLIBC_2.17"
#define TAUPROF_JUMP(old) "  adrp x16, :got:" old "\n  ldr x16, [x16, :got_lo12:" old "]\n  br x16\n"
#endif

#ifdef TAUPROF_OLDEST
#define TAUPROF_OLD_VERSION(name, version)               \
  asm(".symver tauprof_old_" #name "," #name "@" version \
      "\n"                                               \
      ".text\n"                                          \
      ".globl " #name                                    \
      "\n"                                               \
      ".hidden " #name                                   \
      "\n"                                               \
      ".type " #name ", @function\n" #name ":\n" TAUPROF_JUMP("tauprof_old_" #name) ".size " #name ", .-" #name "\n");

TAUPROF_OLD_VERSION(pthread_create, TAUPROF_OLDEST)
TAUPROF_OLD_VERSION(pthread_key_create, TAUPROF_OLDEST)
TAUPROF_OLD_VERSION(pthread_setspecific, TAUPROF_OLDEST)
TAUPROF_OLD_VERSION(pthread_sigmask, TAUPROF_OLDEST)
TAUPROF_OLD_VERSION(pthread_detach, TAUPROF_OLDEST)
TAUPROF_OLD_VERSION(pthread_join, TAUPROF_OLDEST)
TAUPROF_OLD_VERSION(dlsym, TAUPROF_OLDEST)
TAUPROF_OLD_VERSION(dlvsym, TAUPROF_OLDEST)
TAUPROF_OLD_VERSION(dladdr, TAUPROF_OLDEST)
TAUPROF_OLD_VERSION(dlerror, TAUPROF_OLDEST)
#if defined(__x86_64__)
TAUPROF_OLD_VERSION(dladdr1, "GLIBC_2.3.3")
TAUPROF_OLD_VERSION(dlinfo, "GLIBC_2.3.3")
#else
TAUPROF_OLD_VERSION(dladdr1, TAUPROF_OLDEST)
TAUPROF_OLD_VERSION(dlinfo, TAUPROF_OLDEST)
#endif
#endif
#endif
