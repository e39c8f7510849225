// Three hooks of the recorder's tests, instead of the real table.
#include "capture/rings/hook_info.h"

namespace tauprof::capture {

const HookInfo kHookInfos[] = {
    {"cudaEventRecord", HookRecord::kCall, PayloadKind::kObject, false, 0},
    {"cudaMemcpyAsync", HookRecord::kCall, PayloadKind::kBytes, true, 0},
    {"ncclAllReduce", HookRecord::kCollective, PayloadKind::kCount, true, 0},
};
const uint16_t kHookCount = 3;

}  // namespace tauprof::capture
