// Which exported name is which hook.
#pragma once

#include "hooks/hook_number.h"

namespace tauprof::hooks {

// kHooks: no hook is exported under this name.
HookNumber exported_hook(const char* name);

}  // namespace tauprof::hooks
