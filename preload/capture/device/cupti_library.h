// Finds the copy of libcupti that belongs to this process, and its functions. The recorder does not link against CUPTI.
//
// A process can use one copy, and two have separate states, so it matters which is taken. In this order: a copy that is
// already loaded; one in the installation of the loaded libcudart; the file that TAUPROF_CUPTI names; the system's. If
// the process has several versions of CUDA, the version of the first caller counts.
#pragma once

#include <cupti.h>

namespace tauprof::capture {

struct CuptiLibrary {
#define TAUPROF_CUPTI(name) decltype(&::name) name = nullptr;
#define TAUPROF_CUPTI_OPTIONAL(name) decltype(&::name) name = nullptr;
#include "capture/device/cupti_functions.def"

  // Opens the process's copy, unless it is open, on a thread that may wait for the loader. `caller`: an address in the
  // library or program that makes the first call.
  static void open(const void* caller);
  // Finds the functions of the copy that is open. False: there is none, or it lacks a function; missing() says which.
  bool load();
  const char* missing() const { return missing_; }
  // A function that not every version has, or null.
  void* function(const char* name) const;
  const char* result_text(CUptiResult result) const;
  // A call of this copy that begins to use CUPTI has succeeded: from now on, the process can use no other copy.
  void note_use() const;
  // The path of the first copy that was noted; null: there is none.
  static const char* path_in_use();
  // Calls take(id, name) for each function of the domain that this version knows: each version adds ids.
  template <class Take>
  void each_function(CUpti_CallbackDomain domain, Take take) const {
    constexpr uint32_t kMostUnknown = 64;  // ids have no larger gaps
    uint32_t unknown = 0;
    for (CUpti_CallbackId id = 1; id < kMostFunctions && unknown < kMostUnknown; ++id) {
      const char* name = nullptr;
      const bool is_known = cuptiGetCallbackName(domain, id, &name) == CUPTI_SUCCESS && name != nullptr;
      unknown = is_known ? 0 : unknown + 1;
      if (is_known) take(id, name);
    }
  }
  static constexpr uint32_t kMostFunctions = 2048;

 private:
  bool resolve(void* handle);
  void* handle_ = nullptr;
  const char* missing_ = "libcupti";
};

}  // namespace tauprof::capture
