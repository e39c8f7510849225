# Writes the linker's list of exported names: all hooks, those of libc's functions, and the entries that NVTX, the driver
# and NCCL look for. The version script is anonymous, because one with a named version would intercept nothing.
cmake_minimum_required(VERSION 3.25)
set(source "#define TAUPROF_HOOK(name, declared, ...) EXPORT:name:\n#include \"hooks/hook_tables.h\"\n")
file(WRITE ${OUTPUT}.cpp "${source}")
execute_process(COMMAND ${COMPILER} -E -P -std=c++20 -I${PRELOAD} ${OUTPUT}.cpp
  OUTPUT_VARIABLE expanded RESULT_VARIABLE status)
string(REGEX MATCHALL "EXPORT:[A-Za-z0-9_]+:" names "${expanded}")
if(NOT status EQUAL 0 OR NOT names)
  message(FATAL_ERROR "the hook tables do not expand")
endif()
list(TRANSFORM names REPLACE "EXPORT:(.*):" "    \\1")
list(JOIN names ";\n" names)
file(WRITE ${OUTPUT} "{\n  global:\n    _exit;\n    _Exit;\n    dlclose;\n    dlopen;\n    getenv;\n    secure_getenv;\n    InitializeInjection;\n    InitializeInjectionNvtx2;\n    ncclProfiler_v*;\n${names};\n  local:\n    *;\n};\n")
