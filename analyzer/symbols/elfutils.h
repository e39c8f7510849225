// The functions of elfutils' libdw that name addresses. It is opened when it is first asked for, so that tauprof runs
// where it is not installed; code then stays unnamed.
#pragma once

#include <elfutils/libdwfl.h>

namespace tauprof {

struct Elfutils {
#define TAUPROF_ELFUTILS(apply)                                                                                    \
  apply(dwfl_begin) apply(dwfl_end) apply(dwfl_report_begin) apply(dwfl_report_end) apply(dwfl_report_elf)         \
      apply(dwfl_module_addrname) apply(dwfl_module_getsrc) apply(dwfl_lineinfo) apply(dwfl_module_build_id)       \
          apply(dwfl_build_id_find_elf) apply(dwfl_standard_find_debuginfo) apply(dwfl_offline_section_address)
#define TAUPROF_POINTER(name) decltype(&::name) name = nullptr;
  TAUPROF_ELFUTILS(TAUPROF_POINTER)
#undef TAUPROF_POINTER
};

// Null if libdw.so.1 is not installed or lacks a function.
const Elfutils* elfutils();

}  // namespace tauprof
