#include "hooks/nccl_forwarding.h"

#include <dlfcn.h>
#include <stdio.h>

#include "capture/base/messages.h"
#include "capture/base/spin_lock.h"
#include "capture/loader/loaded_library.h"
#include "hooks/offered_library.h"

namespace tauprof::hooks {

using Word = uint64_t;
using PassedFunction = int (*)(Word, Word, Word, Word, Word, Word, Word, Word);
struct PassedInterface {
  const char* name;
  PassedFunction functions[5];
};

namespace {

const void* find_interface(void* library, int version) {
  char name[32];
  snprintf(name, sizeof name, "ncclProfiler_v%d", version);
  return capture::function_in(static_cast<const link_map*>(library), name);
}

void* default_plugin() { return dlopen(kDefaultNcclPlugin, RTLD_NOW | RTLD_LOCAL); }

// The functions of the interfaces before version 5 have other arguments, all of them words: they are handed on as they
// are. A process has one version of them. Without another plugin, the mask stays as it is: no events.
const PassedInterface* g_passed_to;

template <int kFunction>
int pass(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h) {
  return g_passed_to != nullptr ? g_passed_to->functions[kFunction](a, b, c, d, e, f, g, h) : 0;
}

template <int kVersion>
int pass_init(Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h) {
  if (void* const library = default_plugin())
    g_passed_to = static_cast<const PassedInterface*>(find_interface(library, kVersion));
  return pass<0>(a, b, c, d, e, f, g, h);
}

}  // namespace

ForwardedPlugin forwarded_plugin;

// Version 6 added events to 5, and 7 to 6; what they share has the same layout.
void ForwardedPlugin::load(int version) {
  if (__atomic_exchange_n(&is_loaded_, 1, __ATOMIC_ACQ_REL) != 0) return;
  void* const library = default_plugin();
  if (library == nullptr) return;
  const void* found = nullptr;
  for (int older = version; found == nullptr && older >= 5; --older) found = find_interface(library, older);
  if (found == nullptr)
    return capture::say(capture::LogLevel::kWarn, capture::Cause::kHooks,
                        "%s speaks an older version of NCCL's profiler interface than this NCCL and gets no events; "
                        "NCCL_PROFILER_PLUGIN=%s gives it the slot",
                        kDefaultNcclPlugin, kDefaultNcclPlugin);
  plugin_ = static_cast<const nccl_profiler::Plugin*>(found);
}

}  // namespace tauprof::hooks

#define TAUPROF_PASSED_INTERFACE(version)                                                                             \
  extern "C" __attribute__((visibility("default"))) const tauprof::hooks::PassedInterface ncclProfiler_v##version;    \
  const tauprof::hooks::PassedInterface ncclProfiler_v##version = {                                                   \
      "tauprof",                                                                                                      \
      {tauprof::hooks::pass_init<version>, tauprof::hooks::pass<1>, tauprof::hooks::pass<2>, tauprof::hooks::pass<3>, \
       tauprof::hooks::pass<4>}};
TAUPROF_PASSED_INTERFACE(1)
TAUPROF_PASSED_INTERFACE(2)
TAUPROF_PASSED_INTERFACE(3)
TAUPROF_PASSED_INTERFACE(4)
