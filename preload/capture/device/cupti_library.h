// Finds the copy of libcupti that belongs to this process, and its functions. The recorder does not link against CUPTI.
//
// Two copies in one process have separate states, so it matters which is taken. In this order: a copy that is already
// loaded; one in the installation of the loaded libcudart; the file that TAUPROF_CUPTI names; the system's. If the
// process has several versions of CUDA, the version of the first caller counts.
#pragma once

#include <cupti.h>

namespace tauprof::capture {

struct CuptiLibrary {
#define TAUPROF_CUPTI(name) decltype(&::name) name = nullptr;
#define TAUPROF_CUPTI_OPTIONAL(name) decltype(&::name) name = nullptr;
#include "capture/device/cupti_functions.def"

  // False: there is no copy, or it lacks a function; missing() says which. `caller`: an address in the library or
  // program that makes the first call.
  bool load(const void* caller);
  const char* missing() const { return missing_; }
  void* handle() const { return handle_; }  // of dlopen()
  const char* result_text(CUptiResult result) const;

 private:
  bool resolve(void* handle);
  void* handle_ = nullptr;
  const char* missing_ = "libcupti";
};

}  // namespace tauprof::capture
