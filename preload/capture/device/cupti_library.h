// The copy of libcupti that belongs to this process, and its functions. Nothing of it is linked.
//
// Two copies in one process have separate states, so which one is taken matters. In this order: the copy that is
// loaded already; one in the installation of the loaded libcudart; the file that TAUPROF_CUPTI names; the system's.
// Where the process has several versions of CUDA, that of whoever makes the first call counts.
#pragma once

#include <cupti.h>

namespace tauprof::capture {

struct CuptiLibrary {
#define TAUPROF_CUPTI(name) decltype(&::name) name = nullptr;
#define TAUPROF_CUPTI_OPTIONAL(name) decltype(&::name) name = nullptr;
#include "capture/device/cupti_functions.def"

  // False: there is none, or it lacks a function; missing() says which.
  // `caller`: an address in whoever makes the first call.
  bool load(const void* caller);
  const char* missing() const { return missing_; }
  const char* result_text(CUptiResult result) const;

 private:
  bool resolve(void* handle);
  const char* missing_ = "libcupti";
};

}  // namespace tauprof::capture
