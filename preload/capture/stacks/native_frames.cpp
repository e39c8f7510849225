#include "capture/stacks/native_frames.h"

#include <dlfcn.h>
#include <unwind.h>

#include "capture/stacks/loaded_modules.h"

namespace tauprof::capture {
namespace {

constexpr int kOwnFrames = 8;  // the most frames of this library on top of the caller's

struct GccWalk {
  uintptr_t (*address)(_Unwind_Context*);
  void** addresses;
  int count, most;
};

_Unwind_Reason_Code take_frame(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<GccWalk*>(argument);
  if (walk.count == walk.most) return _URC_END_OF_STACK;
  walk.addresses[walk.count++] = reinterpret_cast<void*>(walk.address(context));
  return _URC_NO_REASON;
}

}  // namespace

bool NativeFrames::start() {
  LoadedModule own;
  if (find_module(reinterpret_cast<uint64_t>(&take_frame), own)) own_code_ = own.range;
  if (void* library = dlopen("libunwind.so.8", RTLD_LAZY | RTLD_LOCAL))
    libunwind_ = reinterpret_cast<int (*)(void**, int)>(dlsym(library, "unw_backtrace"));
  if (libunwind_ != nullptr) return true;
  void* library = dlopen("libgcc_s.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return false;
  gcc_backtrace_ = dlsym(library, "_Unwind_Backtrace");
  gcc_address_ = dlsym(library, "_Unwind_GetIP");
  return gcc_backtrace_ != nullptr && gcc_address_ != nullptr;
}

unsigned NativeFrames::read_own(StackFrame* frames) const {
  constexpr int kMost = kMostFrames + kOwnFrames;
  void* addresses[kMost];
  int count = 0;
  if (libunwind_ != nullptr) {
    count = libunwind_(addresses, kMost);
  } else if (gcc_backtrace_ != nullptr) {
    GccWalk walk{reinterpret_cast<uintptr_t (*)(_Unwind_Context*)>(gcc_address_), addresses, 0, kMost};
    reinterpret_cast<_Unwind_Reason_Code (*)(_Unwind_Trace_Fn, void*)>(gcc_backtrace_)(take_frame, &walk);
    count = walk.count;
  }
  unsigned taken = 0;
  for (int i = 0; i < count && taken < kMostFrames; ++i) {
    const auto address = reinterpret_cast<uint64_t>(addresses[i]);
    if (address == 0 || (address >= own_code_.begin && address < own_code_.end)) continue;
    frames[taken++] = address;
  }
  return taken;
}

}  // namespace tauprof::capture
