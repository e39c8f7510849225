// Calls that no hook sees, as CUPTI's callbacks report them: recorded as the hook of the same function would have
// recorded them. What a hook records as well is left to the hook.
#pragma once

namespace tauprof::hooks {

// In the driver's call of our entry for injection.
void watch_calls();

}  // namespace tauprof::hooks
