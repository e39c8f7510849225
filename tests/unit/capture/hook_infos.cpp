// The recorder's tests have three hooks of their own, in the place of the real table.
#include "capture/hook_info.h"

namespace tauprof::capture {

const HookInfo kHookInfos[] = {
    {"cudaEventRecord", HookRecord::kCall, PayloadKind::kObject, false, 0},
    {"cudaMemcpyAsync", HookRecord::kCall, PayloadKind::kBytes, true, 0},
    {"ncclAllReduce", HookRecord::kCollective, PayloadKind::kCount, true, 0},
};
const uint16_t kHookCount = 3;

}  // namespace tauprof::capture
