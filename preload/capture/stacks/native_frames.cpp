#include "capture/stacks/native_frames.h"

#include <dlfcn.h>
#include <unwind.h>

#include "capture/loader/loaded_library.h"
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

bool NativeFrames::open() {
  LoadedModule own;
  if (find_module(reinterpret_cast<uint64_t>(&take_frame), own)) own_code_ = own.range;
  if (const auto* library = static_cast<const link_map*>(dlopen("libunwind.so.8", RTLD_LAZY | RTLD_LOCAL)))
    libunwind_ = reinterpret_cast<int (*)(void**, int)>(function_in(library, "unw_backtrace"));
  if (libunwind_ == nullptr)
    if (const auto* library = static_cast<const link_map*>(dlopen("libgcc_s.so.1", RTLD_LAZY | RTLD_LOCAL))) {
      gcc_backtrace_ = function_in(library, "_Unwind_Backtrace");
      gcc_address_ = function_in(library, "_Unwind_GetIP");
    }
  const bool is_there = libunwind_ != nullptr || (gcc_backtrace_ != nullptr && gcc_address_ != nullptr);
  __atomic_store_n(&is_open_, is_there, __ATOMIC_RELEASE);
  return is_there;
}

unsigned NativeFrames::read_own(StackFrame* frames) const {
  if (!__atomic_load_n(&is_open_, __ATOMIC_ACQUIRE)) return 0;
  constexpr int kMost = kMostFrames + kOwnFrames;
  void* addresses[kMost];
  int count = 0;
  if (libunwind_ != nullptr) {
    count = libunwind_(addresses, kMost);
  } else {
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
