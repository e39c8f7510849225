// The plugin that NCCL would have loaded if its only slot were not ours: libnccl-profiler.so, which some images bring.
// It gets its events all the same. (A plugin that the user names in NCCL_PROFILER_PLUGIN has the slot itself.)
#pragma once

#include "hooks/nccl_profiler.h"

namespace tauprof::hooks {

class ForwardedPlugin {
 public:
  // Loads it, once. `version` of the interface: the one that NCCL speaks.
  void load(int version);
  bool wants(const nccl_profiler::Descriptor& what) const { return (mask_ & static_cast<int>(what.type)) != 0; }
  // Null: there is none.
  const nccl_profiler::Plugin* get() const { return plugin_; }
  // The events that it wants; its init() adds to them.
  int* mask() { return &mask_; }

 private:
  const nccl_profiler::Plugin* plugin_ = nullptr;
  int mask_ = 0;
  uint32_t is_loaded_ = 0;
};

extern ForwardedPlugin forwarded_plugin;

}  // namespace tauprof::hooks
